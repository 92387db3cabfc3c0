import { onlyRow, type Sql, statement, type Transaction } from '@parley/shared/db';
import type { AgedChannel, ChannelActivity } from '@parley/shared/proto';
import { z } from 'zod';

const ACTIVITY = { channelId: z.number(), firstMessageId: z.number(), hasNamedTopics: z.boolean() };

const activityOf = (hasNamedTopics: string) => `select c.id as "channelId", first.id as "firstMessageId",
     ${hasNamedTopics} as "hasNamedTopics"
   from unnest($2::bigint[]) as c (id), lateral (
     select m.id from message m where m.realm_id = $1 and m.channel_id = c.id order by m.id limit 1
   ) first`;

const LIST_CHANNEL_ACTIVITY = statement(
  activityOf(`exists (
       select from topic t where t.realm_id = $1 and t.channel_id = c.id and t.name_key <> '' and exists (
         select from message m where m.realm_id = $1 and m.conversation_id = t.id))`),
  ACTIVITY,
);

/** For channels with messages. A few index lookups per channel. */
export function listChannelActivity(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
): Promise<ChannelActivity[]> {
  return sql.query(LIST_CHANNEL_ACTIVITY, [realmId, channelIds]);
}

const LIST_FIRST_MESSAGES = statement(activityOf('false'), ACTIVITY);

/** The same without named topics: one index lookup for each channel. */
export function listFirstMessages(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
): Promise<ChannelActivity[]> {
  return sql.query(LIST_FIRST_MESSAGES, [realmId, channelIds]);
}

const FIND_BEGINNINGS_VERSION = statement(
  'select coalesce(sum(changes), 0)::text as version from beginning_change where realm_id = $1',
  { version: z.string() },
);

/** Differs after every change of the first message of one of the organization's channels. */
export async function findBeginningsVersion(sql: Sql, realmId: number): Promise<string> {
  return onlyRow(await sql.query(FIND_BEGINNINGS_VERSION, [realmId])).version;
}

export const BEGINNING = {
  channelId: z.number(),
  /** Null: the channel has no messages. */
  firstMessageId: z.number().nullable(),
};

export type Beginning = z.infer<z.ZodObject<typeof BEGINNING>>;

/**
 * SQL for the first message of a channel of the organization `$1` that no other transaction is deleting or moving, and that is
 * not among those about to be removed. It stays locked until the transaction ends, so concurrent transactions that remove a
 * channel's beginning each announce it, without waiting for one another.
 */
export function firstRemaining(channelId: string, goneIds: string): string {
  return `(select m.id from message m
       where m.realm_id = $1 and m.channel_id = ${channelId} and m.id <> all(${goneIds}::bigint[])
       order by m.id limit 1 for key share skip locked)`;
}

const LIST_BEGINNINGS = statement(
  `select c.id as "channelId", ${firstRemaining('c.id', `'{}'`)} as "firstMessageId" from unnest($2::bigint[]) as c (id)`,
  BEGINNING,
);

/** The first message of each channel, after waiting for concurrent deletions and moves. */
export function listBeginnings(tx: Transaction, realmId: number, channelIds: readonly number[]): Promise<Beginning[]> {
  return tx.query(LIST_BEGINNINGS, [realmId, channelIds]);
}

const ARE_QUIET = statement(
  `select not exists (
     select from (
       select m.sent_at from message m
       where m.realm_id = c.realm_id and m.channel_id = c.id order by m.id desc limit 1
     ) newest where newest.sent_at >= to_timestamp($3 / 1000.0)) as "isQuiet"
   from unnest($1::bigint[], $2::bigint[]) with ordinality as c (realm_id, id, n) order by c.n`,
  { isQuiet: z.boolean() },
);

/** Whether each channel has had no messages since then, in the order of the channels. */
export async function areQuiet(sql: Sql, channels: readonly AgedChannel[], sinceMs: number): Promise<boolean[]> {
  const rows = await sql.query(ARE_QUIET, [
    channels.map(({ realmId }) => realmId),
    channels.map(({ channelId }) => channelId),
    sinceMs,
  ]);
  return rows.map(({ isQuiet }) => isQuiet);
}
