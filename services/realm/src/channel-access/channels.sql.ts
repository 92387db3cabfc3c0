import type { Sql } from '@parley/shared/db';
import type { ChannelChange } from '@parley/shared/events';
import type { Channel, ChannelKind } from '@parley/shared/proto';
import { nameKey } from '../base/name-key';
import { SEND_SETTING } from '../group-settings/group-setting';
import { findSystemGroupIds, GROUP_SETTING_JSON } from '../group-settings/group-settings.sql';
import { renderedFrom } from '../rendered-texts/stale-texts.sql';
import { completeChannel, type StoredChannel } from './complete-channel';

/** Channels with all their settings, by id; of several ids: those of them that exist. */
export function loadChannels(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[] | null = null,
): Promise<Channel[]> {
  return loadWhere(sql, realmId, '$2::bigint[] is null or c.id = any($2)', channelIds);
}

/** Those of the channels that exist, held like those of lockChannels(). */
export function lockChannelsByIds(sql: Sql, realmId: number, channelIds: readonly number[]): Promise<Channel[]> {
  return loadWhere(sql, realmId, 'c.id = any($2::bigint[])', channelIds, HELD);
}

/**
 * The channels of those names, in the order of ids, held against every other change until the transaction ends. Their sets of
 * subscribers do not change either until the end of the transaction: every change of them locks the channel's row.
 */
export function lockChannels(sql: Sql, realmId: number, nameKeys: readonly string[]): Promise<Channel[]> {
  return loadWhere(sql, realmId, 'c.name_key = any($2::text[])', nameKeys, HELD);
}

/** The channels of those names, by id. */
export function loadChannelsByNames(sql: Sql, realmId: number, nameKeys: readonly string[]): Promise<Channel[]> {
  return loadWhere(sql, realmId, 'c.name_key = any($2::text[])', nameKeys);
}

const HELD = 'for no key update';

async function loadWhere(
  sql: Sql,
  realmId: number,
  condition: string,
  value: readonly number[] | readonly string[] | null,
  lock = '',
): Promise<Channel[]> {
  const rows = await sql.query<{ channel: StoredChannel }>(
    `select ${CHANNEL_JSON} as channel from channel c where c.realm_id = $1 and (${condition}) order by c.id ${lock}`,
    [realmId, value],
  );
  if (rows.length === 0) return [];
  const systemGroupIds = await findSystemGroupIds(sql, realmId);
  return rows.map(({ channel }) => completeChannel(channel, systemGroupIds));
}

/** Ids of those of the channels, and of the default ones if wanted, that are not archived, held like those of lockChannels(). */
export async function lockFirstChannels(
  sql: Sql,
  realmId: number,
  { channelIds, includesDefaultChannels }: { channelIds: readonly number[]; includesDefaultChannels: boolean },
): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    `select id from channel
     where realm_id = $1 and (is_default and $2::boolean or id = any($3::bigint[])) and not is_archived
     order by id for no key update`,
    [realmId, includesDefaultChannels, channelIds],
  );
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
  /** Null: the organization's retention; -1: for ever. */
  messageRetentionDays: number | null;
  folderId: number | null;
  createdAtMs: number;
}

export const CHANNEL_NAME_IS_UNIQUE = 'channel_name_is_unique';

/** Makes channels that everyone may post in, all of one kind; violates CHANNEL_NAME_IS_UNIQUE when a name is taken. */
export async function insertChannels(
  sql: Sql,
  realmId: number,
  channels: readonly NewChannel[],
  kind: NewChannelKind,
): Promise<{ id: number; name: string }[]> {
  // Sorted, so that two transactions that make the same channels wait for one another in the same order.
  return sql.query(
    `insert into channel (realm_id, name, name_key, description, rendered_description, rendered_from, creator_id, is_private,
       is_web_public, is_history_public, is_default, topics_policy, message_retention_days, folder_id, created_at, can_send_message_group_id)
     select $1, name, name_key, description, rendered_description, ${renderedFrom('description')}, $6, $7, $8, $9, $10, $11, $12, $13,
       to_timestamp($14 / 1000.0), (select g.id from user_group g where g.realm_id = $1 and g.name = 'role:everyone')
     from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as new (name, name_key, description, rendered_description)
     order by name_key
     returning id, name`,
    [
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
    ],
  );
}

/** Ids of the channels that the user is subscribed to. */
export async function listSubscribedChannelIds(sql: Sql, realmId: number, userId: number): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    'select channel_id as id from subscription where realm_id = $1 and user_id = $2 and is_active',
    [realmId, userId],
  );
  return rows.map(({ id }) => id);
}

const FIELDS = `
  'id', c.id, 'name', c.name, 'description', c.description, 'renderedDescription', c.rendered_description,
  'creatorId', c.creator_id, 'isPrivate', c.is_private, 'isWebPublic', c.is_web_public,
  'isHistoryPublic', c.is_history_public, 'isArchived', c.is_archived, 'topicsPolicy', c.topics_policy,
  'subscriptionVersion', c.subscription_version, 'subscriberCount', c.subscriber_count,
  'messageRetentionDays', c.message_retention_days, 'folderId', c.folder_id, 'isQuiet', nullif(c.is_quiet, false),
  'createdAtMs', (extract(epoch from c.created_at) * 1000)::bigint`;

const STORED_SETTINGS = `(select json_object_agg(s.name, ${GROUP_SETTING_JSON}) from (
    select stored.name, stored.group_id from channel_group_setting stored
    where stored.realm_id = c.realm_id and stored.channel_id = c.id
    union all
    select '${SEND_SETTING}', c.can_send_message_group_id
  ) s join user_group value on value.realm_id = c.realm_id and value.id = s.group_id)`;

const IS_CREATOR_ACTIVE = `exists (
    select from user_account u where u.realm_id = c.realm_id and u.id = c.creator_id and u.is_active)`;

/** SQL for a StoredChannel as JSON, from a row of `channel` called `c`. */
export const CHANNEL_JSON = `json_strip_nulls(json_build_object(${FIELDS},
  'storedSettings', ${STORED_SETTINGS}, 'isCreatorActive', ${IS_CREATOR_ACTIVE}))`;

/** SQL for a Channel without its settings, which sending reads none of. */
export const BARE_CHANNEL_JSON = `json_strip_nulls(json_build_object(${FIELDS}))`;

/** By id; channels that do not exist are left out. */
export function findKinds(sql: Sql, realmId: number, channelIds: readonly number[]): Promise<ChannelKind[]> {
  return sql.query(
    `select id, subscription_version as "subscriptionVersion", is_private as "isPrivate",
       is_web_public as "isWebPublic", is_history_public as "isHistoryPublic"
     from channel where realm_id = $1 and id = any($2::bigint[]) order by id`,
    [realmId, channelIds],
  );
}

/** Stores what becomes different in a channel's own row. */
export async function storeChannelChange(
  sql: Sql,
  realmId: number,
  channelId: number,
  { name, description, privacy, ...change }: ChannelChange,
): Promise<void> {
  await sql.query(
    `update channel set name = coalesce($3, name), name_key = coalesce($4, name_key),
       description = coalesce($5, description), rendered_description = coalesce($6, rendered_description),
       rendered_from = case when $5::text is null then rendered_from else ${renderedFrom('$5::text')} end,
       is_private = coalesce($7, is_private), is_web_public = coalesce($8, is_web_public),
       is_history_public = coalesce($9, is_history_public), topics_policy = coalesce($10, topics_policy),
       message_retention_days = case when $11 then $12 else message_retention_days end,
       folder_id = case when $13 then $14 else folder_id end
     where realm_id = $1 and id = $2`,
    [
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
    ],
  );
}

export async function setIsArchived(sql: Sql, realmId: number, channelId: number, isArchived: boolean): Promise<void> {
  await sql.query('update channel set is_archived = $3 where realm_id = $1 and id = $2', [
    realmId,
    channelId,
    isArchived,
  ]);
}
