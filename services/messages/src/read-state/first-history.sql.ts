import { type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';

/** SQL: whether the user got a message `m` as recent history on joining. `$1` is the organization. */
export function wasGiven(userId: string): string {
  const given = (column: string) =>
    `(select h.${column} from first_history h where h.realm_id = $1 and h.user_id = ${userId})`;
  return `(m.id between ${given('from_id')} and ${given('to_id')} and m.sent_channel_id = any(${given('channel_ids')}::bigint[])) is true`;
}

/** SQL: the id of the first of these messages; null without any. */
export function firstGiven(userId: string): string {
  return `(select h.from_id from first_history h where h.realm_id = $1 and h.user_id = ${userId})`;
}

/** A channel, and the subscription version from which a user receives its messages. */
export interface JoinedChannel {
  channelId: number;
  fromVersion: number;
}

const FIND_FIRST_HISTORY = statement(
  `select found.id from unnest($2::bigint[], $3::bigint[]) as joined (channel_id, from_version) cross join lateral (
     select m.id from message m
     where m.realm_id = $1 and m.channel_id = joined.channel_id and m.id >= $4
       and m.sent_channel_id = joined.channel_id and m.sent_version < joined.from_version
     order by m.id desc limit $5
   ) found order by found.id desc limit $5`,
  { id: z.number() },
);

/** The newest messages in the channels from before a user joined, newest first, from that id on. */
export async function findFirstHistory(
  sql: Sql,
  realmId: number,
  channels: readonly JoinedChannel[],
  { fromId, limit }: { fromId: number; limit: number },
): Promise<number[]> {
  const channelIds = channels.map(({ channelId }) => channelId);
  const versions = channels.map(({ fromVersion }) => fromVersion);
  const rows = await sql.query(FIND_FIRST_HISTORY, [realmId, channelIds, versions, fromId, limit]);
  return rows.map(({ id }) => id);
}

const HAS_FIRST_HISTORY = statement('select from first_history where realm_id = $1 and user_id = $2', {});

export async function hasFirstHistory(sql: Sql, realmId: number, userId: number): Promise<boolean> {
  const rows = await sql.query(HAS_FIRST_HISTORY, [realmId, userId]);
  return rows.length > 0;
}

const INSERT_FIRST_HISTORY =
  statement(`insert into first_history (realm_id, user_id, channel_ids, from_id, to_id) values ($1, $2, $3, $4, $5)
   on conflict (realm_id, user_id) do nothing`);

/** Stores what a user was given: these channels, from one message to another. */
export async function insertFirstHistory(
  sql: Sql,
  realmId: number,
  userId: number,
  { channelIds, fromId, toId }: { channelIds: readonly number[]; fromId: number; toId: number },
): Promise<void> {
  await sql.query(INSERT_FIRST_HISTORY, [realmId, userId, channelIds, fromId, toId]);
}
