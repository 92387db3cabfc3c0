import { type ClaimedJob, type DueJobsDefinition, postponeDueJobs, settleDueJob } from '@parley/shared/jobs';
import type { Message } from '@parley/shared/proto';
import { type BackOff, pauseMs } from '@parley/shared/values';
import { sendingCaller } from '../base/sending';
import type { Context } from '../context';
import type { Carried } from './carriers';
import { composeNote } from './compose-note';
import type { PushRow } from './deliveries.sql';
import { type DeliveryPlan, planDelivery } from './plan-delivery';
import { JOB_KIND } from './push';
import { deleteDevice, type PushDevice } from './push-devices.sql';
import { findPushReader } from './push-reader';
import { createPushStore, MOST_MESSAGES, type PushStore } from './push-store';

/** Longer than the calls of a delivery and the sending may take. */
const LEASE_MS = 60_000;
const BACK_OFF: BackOff = { firstMs: 5_000, growth: 2, lastMs: 1_800_000, spread: 0.5 };
/** More than a day: then nothing is to be shown any more. What is to be taken back stays. */
const MAX_ATTEMPTS = 60;

type Needed = Omit<Context, 'dueJobs'>;

/** Brings devices up to date. `wake` is called when a device is due again. */
export function pushJobs(ctx: Needed, wake: () => void): DueJobsDefinition {
  const store = createPushStore(ctx);
  return {
    kind: JOB_KIND,
    concurrency: ctx.config.PUSHES_AT_ONCE,
    leaseMs: LEASE_MS,
    async run(job) {
      if (await deliverPushes(ctx, store, job)) wake();
    },
  };
}

/**
 * Sends a device the notifications that differ from what it shows. Repeated by any replica, it replaces the same ones. Returns whether the
 * device is due again.
 */
export async function deliverPushes(ctx: Needed, store: PushStore, job: ClaimedJob): Promise<boolean> {
  const loaded = await store.load(job);
  const carrier = loaded && ctx.pushCarriers[loaded.device.kind];
  if (!carrier) return end(ctx, job);
  const { device, rows } = loaded;
  const reader = await findPushReader(ctx, device);
  if (reader === null) return forget(ctx, device);
  const plan = planDelivery(rows, await loadMessages(ctx, device, rows), ctx.clock.now());
  const notes = plan.notifications.map((notification) => composeNote(notification, reader));
  const carried = await Promise.all(notes.map((note) => carrier(device, note, reader.realmUrl)));
  return conclude(ctx, store, { job, device, rows, plan, isSent: notes.length > 0 }, carried);
}

async function end({ db }: Needed, job: ClaimedJob): Promise<boolean> {
  await db.transaction((tx) => settleDueJob(tx, job));
  return false;
}

async function forget({ db }: Needed, { realmId, id }: PushDevice): Promise<boolean> {
  await deleteDevice(db, realmId, id);
  return false;
}

/** The messages as the device's user may read them now, by id. */
async function loadMessages(
  { services }: Needed,
  { realmId, userId }: PushDevice,
  rows: readonly PushRow[],
): Promise<Map<number, Message>> {
  const messageIds = rows.map(({ messageId }) => messageId);
  if (messageIds.length === 0) return new Map();
  const { messages } = await services.messages.getMessages(sendingCaller(realmId, userId), {
    messageIds,
    numBefore: 0,
    numAfter: 0,
    includeAnchor: true,
    narrow: [],
  });
  return new Map(messages.map((message) => [message.id, message]));
}

interface Delivery {
  job: ClaimedJob;
  device: PushDevice;
  rows: readonly PushRow[];
  plan: DeliveryPlan;
  /** The device was to get something. */
  isSent: boolean;
}

async function conclude(
  ctx: Needed,
  store: PushStore,
  delivery: Delivery,
  carried: readonly Carried[],
): Promise<boolean> {
  const { job, device } = delivery;
  if (carried.some(({ kind }) => kind === 'gone')) return forget(ctx, device);
  const retry = carried.find((each) => each.kind === 'retry');
  if (retry && job.attempts < MAX_ATTEMPTS) {
    const waitMs = Math.max(retry.afterMs, pauseMs(BACK_OFF, job.attempts));
    ctx.log.info({ reason: retry.reason, waitMs, deviceId: device.id }, 'notifications wait for their push service');
    await postponeDueJobs(ctx.db, [job], ctx.clock.now() + waitMs);
    return true;
  }
  for (const each of carried) {
    if (each.kind === 'refused')
      ctx.log.warn({ reason: each.reason, deviceId: device.id }, 'a notification was refused');
  }
  return store.finish(finished(delivery));
}

function finished({ job, rows, plan, isSent }: Delivery) {
  const { realmId, id, lease } = job;
  const shown = plan.shown.map(({ row, tag }) => ({ messageId: row.messageId, revision: row.revision, tag }));
  const fromId = rows.length < MOST_MESSAGES ? 0 : Math.min(...rows.map(({ messageId }) => messageId));
  return { realmId, id, lease, shown, endedIds: plan.endedIds, fromId, isSent };
}
