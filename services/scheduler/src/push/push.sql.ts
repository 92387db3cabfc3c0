import { onlyRow, type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';
import { JOB_KIND, type NewPush, type PushKind } from './push';

/** A device gets one delivery in this time: what comes meanwhile is one delivery, too. */
export const INTERVAL_MS = 5_000;

/** SQL: jobs of the devices of a query, due at a time ($2) or when their interval is over. A job that is running is left alone. */
const putJobs = (deviceIds: string) =>
  `insert into due_job (realm_id, kind, id, due_at)
   select d.realm_id, '${JOB_KIND}', d.id,
     greatest(to_timestamp($2::bigint / 1000.0), d.pushed_at + interval '${INTERVAL_MS} milliseconds')
   from push_device d where d.realm_id = $1 and d.id in (${deviceIds}) order by d.id
   on conflict (realm_id, kind, id) do update set due_at = least(due_job.due_at, excluded.due_at) where due_job.lease is null`;

const INSERT = statement(
  `with added as (
     insert into push (realm_id, device_id, message_id, user_id, channel_id, trigger, queued_at)
     select $1, d.id, w.message_id, u.user_id, w.channel_id, w.trigger, to_timestamp($2::bigint / 1000.0)
     from unnest($3::text[], $4::bigint[], $5::bigint[], $6::text[]) as w (user_ids, message_id, channel_id, trigger)
     cross join unnest(w.user_ids::bigint[]) as u (user_id)
     join push_device d on d.realm_id = $1 and d.user_id = u.user_id and d.kind = any($7::text[])
     order by d.id, w.message_id
     on conflict do nothing returning device_id
   ), jobs as (${putJobs('select device_id from added')})
   select count(*) as count from added`,
  { count: z.number() },
);

/** One row for each push and device of its user; none for users without a device. Returns their number. */
export async function insertPushes(
  tx: Transaction,
  realmId: number,
  { pushes, kinds, nowMs }: { pushes: readonly NewPush[]; kinds: readonly PushKind[]; nowMs: number },
): Promise<number> {
  const columns = [
    // As text: PostgreSQL has no arrays of arrays with different lengths.
    pushes.map(({ userIds }) => `{${userIds.join(',')}}`),
    pushes.map(({ messageId }) => messageId),
    pushes.map(({ channelId }) => channelId ?? null),
    pushes.map(({ trigger }) => trigger),
  ];
  return onlyRow(await tx.query(INSERT, [realmId, nowMs, ...columns, kinds])).count;
}

/** Which pushes an event is about; absent: all. */
export interface ChangedPushes {
  userIds?: readonly number[] | undefined;
  messageIds?: readonly number[] | undefined;
  channelId?: number | undefined;
}

const MARK_CHANGED = statement(
  `with changed as (
     update push set is_due = true, revision = revision + 1
     where realm_id = $1 and ($3::bigint[] is null or user_id = any($3)) and ($4::bigint[] is null or message_id = any($4))
       and ($5::bigint is null or channel_id = $5)
     returning device_id
   ), jobs as (${putJobs('select device_id from changed')})
   select count(*) as count from changed`,
  { count: z.number() },
);

/** Has the devices compare these messages with what they show. Returns the number of pushes; few events are about any. */
export async function markChanged(
  sql: Sql,
  realmId: number,
  { userIds, messageIds, channelId }: ChangedPushes,
  nowMs: number,
): Promise<number> {
  const args = [realmId, nowMs, userIds ?? null, messageIds ?? null, channelId ?? null];
  return onlyRow(await sql.query(MARK_CHANGED, args)).count;
}

const LIST = statement(
  `select message_id as "messageId", trigger, tag, is_due as "isDue", revision, queued_at as "queuedAtMs"
   from push where realm_id = $1 and device_id = $2 order by message_id desc limit $3`,
  {
    messageId: z.number(),
    trigger: z.string(),
    tag: z.string().nullable(),
    isDue: z.boolean(),
    revision: z.number(),
    queuedAtMs: z.number(),
  },
);

export type PushRow = RowOf<typeof LIST>;

/** The device's pushes, newest message first. */
export function listPushes(sql: Sql, realmId: number, deviceId: number, limit: number): Promise<PushRow[]> {
  return sql.query(LIST, [realmId, deviceId, limit]);
}

const LOCK_JOB = statement(
  `select from due_job where realm_id = $1 and kind = '${JOB_KIND}' and id = $2 and lease = $3 for update`,
  {},
);

/** Locks the job against new pushes for the device; false if another replica has taken it over. */
export async function lockPushJob(
  tx: Transaction,
  { realmId, id, lease }: { realmId: number; id: number; lease: number },
): Promise<boolean> {
  return (await tx.query(LOCK_JOB, [realmId, id, lease])).length > 0;
}

const STORE_SHOWN = statement(
  `update push p set tag = shown.tag, is_due = p.revision <> shown.revision
   from unnest($3::bigint[], $4::integer[], $5::text[]) as shown (message_id, revision, tag)
   where p.realm_id = $1 and p.device_id = $2 and p.message_id = shown.message_id`,
);
const DELETE_ENDED = statement(
  'delete from push where realm_id = $1 and device_id = $2 and (message_id = any($3::bigint[]) or message_id < $4)',
);

/** What a device shows after a delivery, and which messages it need not show any longer. */
export interface Delivered {
  shown: readonly { messageId: number; revision: number; tag: string }[];
  endedIds: readonly number[];
  /** Messages before this one are forgotten, too: there were more than a device shows. */
  fromId: number;
}

/** A message that has changed since the delivery began stays due. */
export async function storeDelivered(
  tx: Transaction,
  { realmId, deviceId }: { realmId: number; deviceId: number },
  { shown, endedIds, fromId }: Delivered,
): Promise<void> {
  await tx.query(DELETE_ENDED, [realmId, deviceId, endedIds, fromId]);
  const columns = [
    shown.map(({ messageId }) => messageId),
    shown.map(({ revision }) => revision),
    shown.map(({ tag }) => tag),
  ];
  await tx.query(STORE_SHOWN, [realmId, deviceId, ...columns]);
}

const HAS_DUE = statement('select from push where realm_id = $1 and device_id = $2 and is_due limit 1', {});

export async function hasDuePush(sql: Sql, realmId: number, deviceId: number): Promise<boolean> {
  return (await sql.query(HAS_DUE, [realmId, deviceId])).length > 0;
}

const DELETE_OLD = statement(
  `with old as (
     delete from push where (realm_id, device_id, message_id) in (
       select realm_id, device_id, message_id from push where queued_at < to_timestamp($1::bigint / 1000.0) limit $2)
     returning 1
   ) select count(*) as count from old`,
  { count: z.number() },
);

/** Forgets notifications that nobody has looked at for long; returns their number, at most the limit. */
export async function deleteOldPushes(sql: Sql, beforeMs: number, limit: number): Promise<number> {
  return onlyRow(await sql.query(DELETE_OLD, [beforeMs, limit])).count;
}
