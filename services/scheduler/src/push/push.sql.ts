import { fewRows, onlyRow, type Sql, statement, type Transaction } from '@parley/shared/db';
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

const MARKED = { count: z.number() };

/** A text for each set of conditions: for all sets together PostgreSQL would read the pushes of everybody. */
const markingChanged = (conditions: readonly string[]) =>
  statement(
    `with found as (
     select device_id, message_id from push where ${conditions.join(' and ')} order by device_id, message_id for update
   ), changed as (
     update push p set is_due = true, revision = revision + 1 from found
     where p.realm_id = $1 and p.device_id = found.device_id and p.message_id = found.message_id
     returning p.device_id
   ), jobs as (${putJobs('select device_id from changed')})
   select count(*) as count from changed`,
    MARKED,
  );

/** Has the devices compare these messages with what they show. Returns the number of pushes; few events are about any. */
export async function markChanged(
  sql: Sql,
  realmId: number,
  { userIds, messageIds, channelId }: ChangedPushes,
  nowMs: number,
): Promise<number> {
  const about = (
    [
      ['user_id = any(?::bigint[])', userIds],
      ['message_id = any(?::bigint[])', messageIds],
      ['channel_id = ?', channelId],
    ] as const
  ).filter(([, value]) => value !== undefined);
  const conditions = about.map(([condition], at) => condition.replace('?', `$${at + 3}`));
  const marking = markingChanged(['realm_id = $1', ...conditions]);
  return onlyRow(await sql.query(marking, [realmId, nowMs, ...about.map(([, value]) => value)])).count;
}

const DELETE_OLD = statement(
  `with old as (
     delete from push p using ${fewRows(
       `select row(realm_id, device_id, message_id) from push where queued_at < to_timestamp($1::bigint / 1000.0)
       order by queued_at limit $2`,
     )} as o (realm_id bigint, device_id bigint, message_id bigint)
     where p.realm_id = o.realm_id and p.device_id = o.device_id and p.message_id = o.message_id returning 1
   ) select count(*) as count from old`,
  { count: z.number() },
);

/** Forgets notifications that nobody has looked at for long; returns their number, at most the limit. */
export async function deleteOldPushes(sql: Sql, beforeMs: number, limit: number): Promise<number> {
  return onlyRow(await sql.query(DELETE_OLD, [beforeMs, limit])).count;
}
