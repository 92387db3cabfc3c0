import { type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import { renderedFrom } from '../base/rendered-from';

/** A row as the statement reads it. */
export interface ChannelRow {
  name: string;
  name_key: string;
  description: string;
  rendered_description: string;
  is_private: boolean;
  is_web_public: boolean;
  is_history_public: boolean;
  is_archived: boolean;
  days: number;
}

const INSERT_CHANNELS = statement(
  `insert into channel (realm_id, name, name_key, description, rendered_description, rendered_from, creator_id, is_private,
     is_web_public, is_history_public, is_archived, created_at, can_send_message_group_id)
   select $1, name, name_key, description, rendered_description, ${renderedFrom('description')}, $2, is_private, is_web_public, is_history_public,
     is_archived, to_timestamp($3 / 1000.0) - days * interval '24 hours',
     (select g.id from user_group g where g.realm_id = $1 and g.name = 'role:everyone')
   from json_to_recordset($4::json) as row (name text, name_key text, description text, rendered_description text,
     is_private boolean, is_web_public boolean, is_history_public boolean, is_archived boolean, days integer)
   returning id, name`,
  { id: z.number(), name: z.string() },
);

/** Creates channels without subscribers and returns their ids, in order. Violates CHANNEL_NAME_IS_UNIQUE when a name is taken. */
export async function insertFilledChannels(
  sql: Sql,
  realmId: number,
  { creatorId, nowMs }: { creatorId: number; nowMs: number },
  rows: readonly ChannelRow[],
): Promise<number[]> {
  const made = await sql.query(INSERT_CHANNELS, [realmId, creatorId, nowMs, JSON.stringify(rows)]);
  const idOf = new Map(made.map(({ id, name }) => [name, id]));
  return rows.map(({ name }) => idOf.get(name) as number);
}

export interface SubscriptionRow {
  channelId: number;
  userId: number;
  isActive: boolean;
  color: string;
  isMuted: boolean;
  isPinned: boolean;
}

const INSERT_SUBSCRIPTIONS = statement(
  `insert into subscription (realm_id, channel_id, user_id, is_active, color, is_muted, is_pinned)
   select $1, channel_id, user_id, is_active, color, is_muted, is_pinned
   from unnest($2::bigint[], $3::bigint[], $4::boolean[], $5::text[], $6::boolean[], $7::boolean[])
     as row (channel_id, user_id, is_active, color, is_muted, is_pinned)`,
);

export async function insertSubscriptions(sql: Sql, realmId: number, rows: readonly SubscriptionRow[]): Promise<void> {
  await sql.query(INSERT_SUBSCRIPTIONS, [
    realmId,
    rows.map(({ channelId }) => channelId),
    rows.map(({ userId }) => userId),
    rows.map(({ isActive }) => isActive),
    rows.map(({ color }) => color),
    rows.map(({ isMuted }) => isMuted),
    rows.map(({ isPinned }) => isPinned),
  ]);
}

export interface IntervalRow {
  channelId: number;
  userId: number;
  fromVersion: number;
  toVersion: number | null;
}

const INSERT_INTERVALS = statement(
  `insert into subscription_interval (realm_id, channel_id, user_id, from_version, to_version)
   select $1, channel_id, user_id, from_version, to_version
   from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
     as row (channel_id, user_id, from_version, to_version)`,
);

export async function insertIntervals(sql: Sql, realmId: number, rows: readonly IntervalRow[]): Promise<void> {
  await sql.query(INSERT_INTERVALS, [
    realmId,
    rows.map(({ channelId }) => channelId),
    rows.map(({ userId }) => userId),
    rows.map(({ fromVersion }) => fromVersion),
    rows.map(({ toVersion }) => toVersion),
  ]);
}

const STORE_VERSIONS = statement(
  `update channel c set subscription_version = row.version, subscriber_count = row.subscriber_count
   from unnest($2::bigint[], $3::bigint[], $4::integer[]) as row (id, version, subscriber_count)
   where c.realm_id = $1 and c.id = row.id`,
);

/** Stores the channels' subscriber versions and numbers. */
export async function storeVersions(
  sql: Sql,
  realmId: number,
  rows: readonly { channelId: number; version: number; subscriberCount: number }[],
): Promise<void> {
  await sql.query(STORE_VERSIONS, [
    realmId,
    rows.map(({ channelId }) => channelId),
    rows.map(({ version }) => version),
    rows.map(({ subscriberCount }) => subscriberCount),
  ]);
}
