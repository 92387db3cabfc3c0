import { type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';
import { JOB_KIND } from './push';

/** The device of a delivery. */
export interface DeviceKey {
  realmId: number;
  /** Of the device, and of its job. */
  id: number;
}

/** Columns for unnest. */
export const keysOf = (devices: readonly DeviceKey[]) => [
  devices.map(({ realmId }) => realmId),
  devices.map(({ id }) => id),
];

const LIST = statement(
  `select job.realm_id as "realmId", job.device_id as "deviceId", p.message_id as "messageId", p.trigger, p.tag, p.is_due as "isDue",
     p.revision, p.queued_at as "queuedAtMs"
   from unnest($1::bigint[], $2::bigint[]) as job (realm_id, device_id)
   cross join lateral (
     select message_id, trigger, tag, is_due, revision, queued_at from push
     where push.realm_id = job.realm_id and push.device_id = job.device_id order by message_id desc limit $3) p
   order by p.message_id desc`,
  {
    realmId: z.number(),
    deviceId: z.number(),
    messageId: z.number(),
    trigger: z.string(),
    tag: z.string().nullable(),
    isDue: z.boolean(),
    revision: z.number(),
    queuedAtMs: z.number(),
  },
);

/** A push with the device that it is for. */
export type DevicePush = RowOf<typeof LIST>;
export type PushRow = Omit<DevicePush, 'realmId' | 'deviceId'>;

/** The newest pushes of each device, newest message first. */
export function listPushes(sql: Sql, devices: readonly DeviceKey[], limit: number): Promise<DevicePush[]> {
  return sql.query(LIST, [...keysOf(devices), limit]);
}

const LOCK_PUSHES = statement(
  `select from push p join unnest($1::bigint[], $2::bigint[]) as job (realm_id, device_id) using (realm_id, device_id)
   order by realm_id, device_id, p.message_id for update of p`,
  {},
);
const LOCK_JOBS = statement(
  `select j.lease from due_job j
   join unnest($1::bigint[], $2::bigint[], $3::bigint[]) as job (realm_id, id, lease)
     on j.realm_id = job.realm_id and j.kind = '${JOB_KIND}' and j.id = job.id and j.lease = job.lease
   order by j.realm_id, j.id for update of j`,
  { lease: z.number() },
);

/**
 * Locks jobs against new pushes for their devices; returns those that no other replica has taken over. The pushes are locked first, in the
 * order of markChanged, and nothing is deleted before all locks are there, so neither waits for the other.
 */
export async function lockDeliveries<Job extends DeviceKey & { lease: number }>(
  tx: Transaction,
  jobs: readonly Job[],
): Promise<Job[]> {
  await tx.query(LOCK_PUSHES, keysOf(jobs));
  const rows = await tx.query(LOCK_JOBS, [...keysOf(jobs), jobs.map(({ lease }) => lease)]);
  const held = new Set(rows.map(({ lease }) => lease));
  return jobs.filter(({ lease }) => held.has(lease));
}

const DELETE_ENDED = statement(
  `delete from push p using unnest($1::bigint[], $2::bigint[], $3::bigint[]) as ended (realm_id, device_id, message_id)
   where p.realm_id = ended.realm_id and p.device_id = ended.device_id and p.message_id = ended.message_id`,
);
const DELETE_EARLIER = statement(
  `delete from push p using unnest($1::bigint[], $2::bigint[], $3::bigint[]) as kept (realm_id, device_id, from_id)
   where p.realm_id = kept.realm_id and p.device_id = kept.device_id and p.message_id < kept.from_id`,
);
const STORE_SHOWN = statement(
  `update push p set tag = shown.tag, is_due = p.revision <> shown.revision
   from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::integer[], $5::text[]) as shown (realm_id, device_id, message_id, revision, tag)
   where p.realm_id = shown.realm_id and p.device_id = shown.device_id and p.message_id = shown.message_id`,
);

/** What a device shows after a delivery, and which messages it need not show any longer. */
export interface Delivered extends DeviceKey {
  shown: readonly { messageId: number; revision: number; tag: string }[];
  endedIds: readonly number[];
  /** Messages before this one are forgotten, too: there were more than a device shows. 0: there were not. */
  fromId: number;
}

/** A message that has changed since the delivery began stays due. */
export async function storeDelivered(tx: Transaction, deliveries: readonly Delivered[]): Promise<void> {
  const ended = deliveries.flatMap(({ realmId, id, endedIds }) =>
    endedIds.map((messageId) => ({ realmId, id, messageId })),
  );
  if (ended.length > 0) await tx.query(DELETE_ENDED, [...keysOf(ended), ended.map(({ messageId }) => messageId)]);
  const full = deliveries.filter(({ fromId }) => fromId > 0);
  if (full.length > 0) await tx.query(DELETE_EARLIER, [...keysOf(full), full.map(({ fromId }) => fromId)]);
  const shown = deliveries.flatMap(({ realmId, id, shown: each }) => each.map((push) => ({ realmId, id, ...push })));
  if (shown.length === 0) return;
  const columns = [
    shown.map(({ messageId }) => messageId),
    shown.map(({ revision }) => revision),
    shown.map(({ tag }) => tag),
  ];
  await tx.query(STORE_SHOWN, [...keysOf(shown), ...columns]);
}

const SETTLE = statement(
  `with job as (
     select realm_id, id from unnest($1::bigint[], $2::bigint[]) as job (realm_id, id)
   ), again as (
     select realm_id, id from job
     where exists (select from push p where p.realm_id = job.realm_id and p.device_id = job.id and p.is_due)
   ), postponed as (
     update due_job j set due_at = to_timestamp($3::bigint / 1000.0), attempts = 0, lease = null from again
     where j.realm_id = again.realm_id and j.kind = '${JOB_KIND}' and j.id = again.id
   ), settled as (
     delete from due_job j using job where j.realm_id = job.realm_id and j.kind = '${JOB_KIND}' and j.id = job.id
       and not exists (select from again where again.realm_id = job.realm_id and again.id = job.id)
   )
   select realm_id as "realmId", id from again`,
  { realmId: z.number(), id: z.number() },
);

/** Ends locked jobs; devices with pushes that are still due have them again at that time. Returns those. */
export function settleDeliveries(tx: Transaction, jobs: readonly DeviceKey[], againAtMs: number): Promise<DeviceKey[]> {
  return tx.query(SETTLE, [...keysOf(jobs), againAtMs]);
}
