import type { Sql } from '@parley/shared/db';
import type { Channel } from '@parley/shared/proto';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { renderedFrom } from '../rendering/stale-texts.sql';
import { CHANNEL_JSON } from './channel-json.sql';
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
 * subscribers stand still, too, for the statements that follow: whoever changes one holds the channel's row.
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
