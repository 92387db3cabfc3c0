import { batched } from '@parley/shared/batch';
import type { ClaimedJob } from '@parley/shared/jobs';
import { groupBy } from '@parley/shared/values';
import type { Context } from '../context';
import {
  type Delivered,
  type DeviceKey,
  listPushes,
  lockDeliveries,
  type PushRow,
  settleDeliveries,
  storeDelivered,
} from './deliveries.sql';
import { INTERVAL_MS } from './push.sql';
import { findDevices, notePushed, type PushDevice } from './push-devices.sql';

/** Unread messages that notifications of a device are about; earlier ones are forgotten. */
export const MOST_MESSAGES = 50;
const BATCH = { maxItems: 100, maxInFlight: 2 };

/** A device with its pushes, newest message first. */
export interface LoadedDevice {
  device: PushDevice;
  rows: PushRow[];
}

/** What a delivery has done. */
export interface FinishedDelivery extends Delivered {
  lease: number;
  /** The device got something. */
  isSent: boolean;
}

/** Database access of deliveries, batched over those that run at the same time. */
export interface PushStore {
  /** Null: the device has ended. */
  load(job: ClaimedJob): Promise<LoadedDevice | null>;
  /** Stores the result and ends the job. Returns whether the device is due again; not if another replica has taken the job over. */
  finish(delivery: FinishedDelivery): Promise<boolean>;
}

type Needed = Pick<Context, 'db' | 'clock'>;

export function createPushStore(ctx: Needed): PushStore {
  return {
    load: batched((jobs: ClaimedJob[]) => loadAll(ctx, jobs), BATCH),
    finish: batched((deliveries: FinishedDelivery[]) => finishAll(ctx, deliveries), BATCH),
  };
}

async function loadAll({ db }: Needed, jobs: readonly ClaimedJob[]): Promise<(LoadedDevice | null)[]> {
  const [devices, pushes] = await Promise.all([findDevices(db, jobs), listPushes(db, jobs, MOST_MESSAGES)]);
  const byKey = new Map(devices.map((device) => [keyOf(device), device]));
  const rows = groupBy(pushes, ({ realmId, deviceId: id }) => keyOf({ realmId, id }));
  return jobs.map((job) => {
    const device = byKey.get(keyOf(job));
    return device ? { device, rows: rows.get(keyOf(job)) ?? [] } : null;
  });
}

const keyOf = ({ realmId, id }: DeviceKey) => `${realmId}/${id}`;

/** New pushes for a device wait for the locks, and find its job gone or due again. */
async function finishAll({ db, clock }: Needed, deliveries: readonly FinishedDelivery[]): Promise<boolean[]> {
  const nowMs = clock.now();
  const again = await db.transaction(async (tx) => {
    const own = await lockDeliveries(tx, deliveries);
    if (own.length === 0) return [];
    await storeDelivered(tx, own);
    const sent = own.filter(({ isSent }) => isSent);
    if (sent.length > 0) await notePushed(tx, sent, nowMs);
    return settleDeliveries(tx, own, nowMs + INTERVAL_MS);
  });
  const keys = new Set(again.map(keyOf));
  return deliveries.map((delivery) => keys.has(keyOf(delivery)));
}
