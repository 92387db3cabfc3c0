import { type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';

/** The kind of jobs that make mails of missed messages; their ids are those of the people. */
export const JOB_KIND = 'missed-mail';

/** A message, and people who are to get a mail about it for the same reason. */
export interface NewMissed {
  messageId: number;
  conversation: string;
  trigger: string;
  batchingMs: number;
  userIds: readonly number[];
}

// The update of an existing job changes nothing, but waits for a transaction that settles the job; then there is a new one.
const insert = (onKnown: string) =>
  statement(
    `with missed as materialized (
     select u.user_id, m.message_id, m.conversation, m.trigger, m.batching_ms
     from unnest($3::text[], $4::bigint[], $5::text[], $6::text[], $7::bigint[])
       as m (user_ids, message_id, conversation, trigger, batching_ms), unnest(m.user_ids::bigint[]) as u (user_id)
   ), added as (
     insert into missed_message (realm_id, user_id, message_id, conversation, trigger, missed_at)
     select $1, user_id, message_id, conversation, trigger, to_timestamp($2::bigint / 1000.0) from missed
     on conflict ${onKnown}
   )
   insert into due_job (realm_id, kind, id, due_at)
   select $1, '${JOB_KIND}', user_id, to_timestamp(($2::bigint + min(batching_ms)) / 1000.0) from missed
   group by user_id order by user_id
   on conflict (realm_id, kind, id) do update set due_at = due_job.due_at`,
  );

const INSERT = insert('do nothing');
const INSERT_OR_REPLACE = insert('(realm_id, user_id, message_id) do update set trigger = excluded.trigger');

export interface Missing {
  nowMs: number;
  /** Messages that are known get the new reason. */
  replacesTriggers: boolean;
}

/** Stores that people are to get a mail about messages, and a job for each who has none. */
export async function insertMissed(
  tx: Transaction,
  realmId: number,
  missed: readonly NewMissed[],
  { nowMs, replacesTriggers }: Missing,
): Promise<void> {
  await tx.query(replacesTriggers ? INSERT_OR_REPLACE : INSERT, [
    realmId,
    nowMs,
    // As text: PostgreSQL has no arrays of arrays with different lengths.
    missed.map(({ userIds }) => `{${userIds.join(',')}}`),
    missed.map(({ messageId }) => messageId),
    missed.map(({ conversation }) => conversation),
    missed.map(({ trigger }) => trigger),
    missed.map(({ batchingMs }) => batchingMs),
  ]);
}

const LIST = statement(
  `select message_id as "messageId", conversation, trigger, missed_at as "missedAtMs" from missed_message
   where realm_id = $1 and user_id = $2 order by message_id desc limit $3`,
  { messageId: z.number(), conversation: z.string(), trigger: z.string(), missedAtMs: z.number() },
);

export type MissedRow = RowOf<typeof LIST>;

/** The latest messages that a person has missed, newest first. */
export function listMissed(sql: Sql, person: PersonKey, limit: number): Promise<MissedRow[]> {
  return sql.query(LIST, [person.realmId, person.userId, limit]);
}

export interface PersonKey {
  realmId: number;
  userId: number;
}

const DELETE = statement(
  `with done as (
     delete from missed_message
     where realm_id = $1 and user_id = $2 and (message_id = any($3::bigint[]) or message_id < $4) returning 1
   )
   select exists (
     select from missed_message
     where realm_id = $1 and user_id = $2 and message_id <> all($3::bigint[]) and message_id >= $4) as "hasMore"
   from (select count(*) from done) counted`,
  { hasMore: z.boolean() },
);

/** Forgets missed messages, and those before `beforeId`; says whether there are others. */
export async function deleteMissed(
  tx: Transaction,
  { realmId, userId }: PersonKey,
  { messageIds, beforeId }: { messageIds: readonly number[]; beforeId: number },
): Promise<boolean> {
  const [row] = await tx.query(DELETE, [realmId, userId, messageIds, beforeId]);
  return row?.hasMore === true;
}
