import { composed, type RowOf, type Sql, statement } from '@parley/shared/db';
import type { ChannelChange } from '@parley/shared/events';
import { type Channel, type ChannelKind, messageShape } from '@parley/shared/proto';
import { z } from 'zod';
import { nameKey } from '../base/name-key';
import { renderedFrom } from '../base/rendered-from';
import { SEND_SETTING } from '../group-settings/group-setting';
import { findSystemGroupIds, GROUP_SETTING, GROUP_SETTING_JSON } from '../group-settings/group-settings.sql';
import { completeChannel, type StoredChannel } from './complete-channel';

const FIELDS = `
  'id', c.id, 'name', c.name, 'description', c.description, 'renderedDescription', c.rendered_description,
  'creatorId', c.creator_id, 'isPrivate', c.is_private, 'isWebPublic', c.is_web_public,
  'isHistoryPublic', c.is_history_public, 'isArchived', c.is_archived, 'topicsPolicy', c.topics_policy,
  'subscriptionVersion', c.subscription_version, 'subscriberCount', c.subscriber_count,
  'messageRetentionDays', c.message_retention_days, 'folderId', c.folder_id, 'isQuiet', nullif(c.is_quiet, false),
  'createdAtMs', (extract(epoch from c.created_at) * 1000)::bigint`;

// NOTE: a join would read all groups for each channel.
const STORED_SETTINGS = `(select json_object_agg(s.name, ${GROUP_SETTING_JSON}) from (
    select stored.name, stored.group_id from channel_group_setting stored
    where stored.realm_id = c.realm_id and stored.channel_id = c.id
    union all
    select '${SEND_SETTING}', c.can_send_message_group_id
  ) s, lateral (select * from user_group g where g.realm_id = c.realm_id and g.id = s.group_id limit 1) value)`;

const IS_CREATOR_ACTIVE = `exists (
    select from user_account u where u.realm_id = c.realm_id and u.id = c.creator_id and u.is_active)`;

/** SQL for a StoredChannel as JSON, from a row of `channel` called `c`. */
export const CHANNEL_JSON = `json_strip_nulls(json_build_object(${FIELDS},
  'storedSettings', ${STORED_SETTINGS}, 'isCreatorActive', ${IS_CREATOR_ACTIVE}))`;

/** The shape of CHANNEL_JSON. */
export const STORED_CHANNEL = messageShape<StoredChannel>('realm', 'Channel', {
  storedSettings: z.record(z.string(), GROUP_SETTING),
  isCreatorActive: z.boolean(),
});

/** SQL for a Channel without its settings, for sending. */
export const BARE_CHANNEL_JSON = `json_strip_nulls(json_build_object(${FIELDS}))`;

/** The shape of BARE_CHANNEL_JSON. */
export const BARE_CHANNEL = messageShape<Channel>('realm', 'Channel');

const loading = (condition: string, lock = '') =>
  statement(
    `select ${CHANNEL_JSON} as channel from channel c where c.realm_id = $1 ${condition} order by c.id ${lock}`,
    {
      channel: STORED_CHANNEL,
    },
  );

const IS_OF_IDS = 'and c.id = any($2::bigint[])';
const IS_OF_NAMES = 'and c.name_key = any($2::text[])';
const LOCK = 'for no key update';

const LOAD_ALL = loading('');
const LOAD_BY_IDS = loading(IS_OF_IDS);
const LOAD_BY_NAMES = loading(IS_OF_NAMES);
const LOCK_BY_IDS = loading(IS_OF_IDS, LOCK);
const LOCK_BY_NAMES = loading(IS_OF_NAMES, LOCK);

/** Channels with all settings, by id: all of the organization, or the existing ones of the ids. */
export function loadChannels(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[] | null = null,
): Promise<Channel[]> {
  return channelIds ? load(sql, LOAD_BY_IDS, [realmId, channelIds]) : load(sql, LOAD_ALL, [realmId]);
}

/** The channels that exist, locked like those of lockChannels(). */
export function lockChannelsByIds(sql: Sql, realmId: number, channelIds: readonly number[]): Promise<Channel[]> {
  return load(sql, LOCK_BY_IDS, [realmId, channelIds]);
}

const LOCK_BARE = statement(
  `select ${BARE_CHANNEL_JSON} as channel from channel c where c.realm_id = $1 ${IS_OF_IDS} order by c.id ${LOCK}`,
  { channel: BARE_CHANNEL },
);

/** The same without their settings: for events that tell one property. One statement. */
export async function lockBareChannels(sql: Sql, realmId: number, channelIds: readonly number[]): Promise<Channel[]> {
  const rows = await sql.query(LOCK_BARE, [realmId, channelIds]);
  return rows.map(({ channel }) => channel);
}

/**
 * Locks the channels of those names, in the order of ids, until the transaction ends. Their subscribers are locked with them: every
 * change of subscribers locks the channel's row.
 */
export function lockChannels(sql: Sql, realmId: number, nameKeys: readonly string[]): Promise<Channel[]> {
  return load(sql, LOCK_BY_NAMES, [realmId, nameKeys]);
}

/** The channels of those names, by id. */
export function loadChannelsByNames(sql: Sql, realmId: number, nameKeys: readonly string[]): Promise<Channel[]> {
  return load(sql, LOAD_BY_NAMES, [realmId, nameKeys]);
}

async function load(sql: Sql, of: typeof LOAD_ALL, values: [realmId: number, ...list: unknown[]]): Promise<Channel[]> {
  const rows = await sql.query(of, values);
  if (rows.length === 0) return [];
  const systemGroupIds = await findSystemGroupIds(sql, values[0]);
  return rows.map(({ channel }) => completeChannel(channel, systemGroupIds));
}

// NOTE: planned for each call, as without default channels it is a look-up.
const LOCK_FIRST = composed(
  `select id from channel
   where realm_id = $1 and (is_default and $2::boolean or id = any($3::bigint[])) and not is_archived
   order by id for no key update`,
  { id: z.number() },
);

/** Locks those channels, and the default ones if wanted, that are not archived; see lockChannels(). Returns the ids. */
export async function lockFirstChannels(
  sql: Sql,
  realmId: number,
  { channelIds, includesDefaultChannels }: { channelIds: readonly number[]; includesDefaultChannels: boolean },
): Promise<number[]> {
  const rows = await sql.query(LOCK_FIRST, [realmId, includesDefaultChannels, channelIds]);
  return rows.map(({ id }) => id);
}

export interface NewChannel {
  name: string;
  nameKey: string;
  description: string;
  renderedDescription: string;
}

export interface NewChannelKind {
  creatorId: number | null;
  isPrivate: boolean;
  isWebPublic: boolean;
  isHistoryPublic: boolean;
  isDefault: boolean;
  topicsPolicy: string;
  /** Null: the organization's retention; -1: forever. */
  messageRetentionDays: number | null;
  folderId: number | null;
  createdAtMs: number;
}

export const CHANNEL_NAME_IS_UNIQUE = 'channel_name_is_unique';

const INSERT = statement(
  `insert into channel (realm_id, name, name_key, description, rendered_description, rendered_from, creator_id, is_private,
     is_web_public, is_history_public, is_default, topics_policy, message_retention_days, folder_id, created_at, can_send_message_group_id)
   select $1, name, name_key, description, rendered_description, ${renderedFrom('description')}, $6, $7, $8, $9, $10, $11, $12, $13,
     to_timestamp($14 / 1000.0), (select g.id from user_group g where g.realm_id = $1 and g.name = 'role:everyone')
   from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as new (name, name_key, description, rendered_description)
   order by name_key
   returning id, name`,
  { id: z.number(), name: z.string() },
);

/** Creates channels of one kind in which everyone may post; violates CHANNEL_NAME_IS_UNIQUE when a name is taken. */
export async function insertChannels(
  sql: Sql,
  realmId: number,
  channels: readonly NewChannel[],
  kind: NewChannelKind,
): Promise<RowOf<typeof INSERT>[]> {
  // Sorted, so that concurrent transactions insert the same names in the same order.
  return sql.query(INSERT, [
    realmId,
    channels.map(({ name }) => name),
    channels.map(({ nameKey }) => nameKey),
    channels.map(({ description }) => description),
    channels.map(({ renderedDescription }) => renderedDescription),
    kind.creatorId,
    kind.isPrivate,
    kind.isWebPublic,
    kind.isHistoryPublic,
    kind.isDefault,
    kind.topicsPolicy,
    kind.messageRetentionDays,
    kind.folderId,
    kind.createdAtMs,
  ]);
}

const LIST_SUBSCRIBED_IDS = statement(
  'select channel_id as id from subscription where realm_id = $1 and user_id = $2 and is_active',
  { id: z.number() },
);

/** Ids of the channels that the user is subscribed to. */
export async function listSubscribedChannelIds(sql: Sql, realmId: number, userId: number): Promise<number[]> {
  const rows = await sql.query(LIST_SUBSCRIBED_IDS, [realmId, userId]);
  return rows.map(({ id }) => id);
}

const FIND_KINDS = statement(
  `select id, subscription_version as "subscriptionVersion", is_private as "isPrivate",
     is_web_public as "isWebPublic", is_history_public as "isHistoryPublic"
   from channel where realm_id = $1 and id = any($2::bigint[]) order by id`,
  {
    id: z.number(),
    subscriptionVersion: z.number(),
    isPrivate: z.boolean(),
    isWebPublic: z.boolean(),
    isHistoryPublic: z.boolean(),
  },
);

/** The existing channels, by id. */
export function findKinds(sql: Sql, realmId: number, channelIds: readonly number[]): Promise<ChannelKind[]> {
  return sql.query(FIND_KINDS, [realmId, channelIds]);
}

const STORE_CHANGE = statement(
  `update channel set name = coalesce($3, name), name_key = coalesce($4, name_key),
     description = coalesce($5, description), rendered_description = coalesce($6, rendered_description),
     rendered_from = case when $5::text is null then rendered_from else ${renderedFrom('$5::text')} end,
     is_private = coalesce($7, is_private), is_web_public = coalesce($8, is_web_public),
     is_history_public = coalesce($9, is_history_public), topics_policy = coalesce($10, topics_policy),
     message_retention_days = case when $11 then $12 else message_retention_days end,
     folder_id = case when $13 then $14 else folder_id end
   where realm_id = $1 and id = $2`,
);

export async function storeChannelChange(
  sql: Sql,
  realmId: number,
  channelId: number,
  { name, description, privacy, ...change }: ChannelChange,
): Promise<void> {
  await sql.query(STORE_CHANGE, [
    realmId,
    channelId,
    name,
    name === undefined ? undefined : nameKey(name),
    description?.text,
    description?.rendered,
    privacy?.isPrivate,
    privacy?.isWebPublic,
    privacy?.isHistoryPublic,
    change.topicsPolicy,
    change.messageRetentionDays !== undefined,
    change.messageRetentionDays ?? null,
    change.folderId !== undefined,
    change.folderId ?? null,
  ]);
}

const STORE_IS_ARCHIVED = statement('update channel set is_archived = $3 where realm_id = $1 and id = $2');

export async function setIsArchived(sql: Sql, realmId: number, channelId: number, isArchived: boolean): Promise<void> {
  await sql.query(STORE_IS_ARCHIVED, [realmId, channelId, isArchived]);
}
