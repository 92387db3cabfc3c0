import { deleteRowsOfRealm, withAdvisoryLock } from '@parley/shared/db';
import { ServiceUnavailableError } from '@parley/shared/errors';
import { runPeriodically } from '@parley/shared/jobs';
import type { ErasePersonRequest, Purged } from '@parley/shared/proto';
import { deleteOldAnswers } from '@parley/shared/request-keys';
import { newCall } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import type { Context } from '../context';
import { deleteOldPushes } from '../push/push.sql';
import { deleteDevicesOf } from '../push/push-devices.sql';
import { forgetPurged } from '../reminders/withheld-text';
import { deleteEndedAddresses } from '../reply-addresses/reply-address.sql';
import { deleteScheduledOf, isRetentionDue, noteRetention, TABLES } from './retention.sql';

/** How often a replica checks whether a run is due. */
const POLL_MS = 5 * 60_000;
const LOCK = 'parley-retention';
const MINUTE_MS = 60_000;
const BATCH_SIZE = 1_000;

type Needed = Omit<Context, 'dueJobs' | 'outside' | 'pushCarriers'>;

export interface Retention {
  /** Deletes expired data if a run is due; for tests. */
  runOnce(): Promise<void>;
  /** Resolves when this replica has finished its present batch. */
  stop(): Promise<void>;
}

/**
 * Deletes expired data every RETENTION_INTERVAL_MINUTES, on one replica at a time. After a crash, a failure or an incomplete step it
 * retries after a few minutes: every step is idempotent.
 */
export function runRetentionPeriodically(ctx: Needed): Retention {
  const failure = 'could not check for expired data';
  const stop = runPeriodically(ctx, { everyMs: POLL_MS, failure }, (stopping) => runIfDue(ctx, stopping));
  return { runOnce: () => runIfDue(ctx, new AbortController().signal), stop };
}

async function runIfDue(ctx: Needed, stopping: AbortSignal): Promise<void> {
  const isDue = () => {
    const nowMs = ctx.clock.now();
    return isRetentionDue(ctx.db, nowMs - ctx.config.RETENTION_INTERVAL_MINUTES * MINUTE_MS, nowMs);
  };
  if (!(await isDue())) return;
  await withAdvisoryLock(ctx.db.url, LOCK, async () => {
    // Another replica may have finished meanwhile.
    if (!(await isDue())) return;
    const isDone = await run(ctx, stopping);
    if (isDone && !stopping.aborted) await noteRetention(ctx.db, ctx.clock.now());
  });
}

/** False when a step failed or is incomplete. */
async function run(ctx: Needed, stopping: AbortSignal): Promise<boolean> {
  const { invites } = ctx.services;
  const steps: Record<string, () => Promise<boolean>> = {
    'expired messages': () => deleteExpiredMessages(ctx, stopping),
    'ended invitations': () => repeatStep(stopping, () => invites.deleteEndedInvitations(newCall(), {})),
    'first answers': () => repeatStep(stopping, () => deleteExpiredAnswers(ctx)),
    'ended reply addresses': () => repeatStep(stopping, () => deleteEnded(ctx)),
    'old notifications': () => repeatStep(stopping, () => deleteForgottenPushes(ctx)),
    'quotes of purged messages': () => forgetPurged(ctx, stopping),
    'closed organizations': () => purgeRealms(ctx, stopping),
  };
  let isDone = true;
  for (const [what, step] of Object.entries(steps)) {
    isDone = (await attempt(ctx.log, { what }, step)) && isDone;
  }
  return isDone;
}

async function deleteExpiredAnswers(ctx: Needed): Promise<Purged> {
  const deleted = await deleteOldAnswers(ctx, BATCH_SIZE);
  return { deleted, isComplete: deleted === 0 };
}

async function deleteEnded({ db, clock }: Needed): Promise<Purged> {
  const deleted = await deleteEndedAddresses(db, clock.now(), BATCH_SIZE);
  return { deleted, isComplete: deleted === 0 };
}

/** Whoever has not looked for a month does not need a notification taken back. */
const PUSH_LIFE_MS = 30 * 24 * 60 * MINUTE_MS;

async function deleteForgottenPushes({ db, clock }: Needed): Promise<Purged> {
  const deleted = await deleteOldPushes(db, clock.now() - PUSH_LIFE_MS, BATCH_SIZE);
  return { deleted, isComplete: deleted === 0 };
}

/** Runs a part of the work, which returns whether it is complete; a failure is logged and returns false. */
async function attempt(
  log: Logger,
  context: { realmId?: number; what?: string },
  work: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    const level = error instanceof ServiceUnavailableError ? 'warn' : 'error';
    log[level]({ ...context, err: error }, 'expired data could not be deleted; will be tried again');
    return false;
  }
}

/** Deletes expired messages, one organization after the other; a failure in one does not stop the rest. */
async function deleteExpiredMessages(ctx: Needed, stopping: AbortSignal): Promise<boolean> {
  const { realm, messages } = ctx.services;
  const { realms } = await realm.listRetention(newCall(), { withoutChannels: true });
  let isDone = true;
  for (const { realmId } of realms) {
    const step = () => messages.deleteExpiredMessages(newCall(), { realmId });
    isDone = (await attempt(ctx.log, { realmId }, () => repeatStep(stopping, step))) && isDone;
  }
  return isDone;
}

/** Deletes closed organizations whose waiting time is over. */
async function purgeRealms(ctx: Needed, stopping: AbortSignal): Promise<boolean> {
  const { realmIds } = await ctx.services.realm.listRealmsToPurge(newCall(), {});
  let isDone = true;
  for (const realmId of realmIds) {
    isDone = (await attempt(ctx.log, { realmId }, () => purgeRealm(ctx, realmId, stopping))) && isDone;
  }
  return isDone;
}

/** Realm comes last: its row is how an unfinished purge is found again, e.g. one that waits for files to be deleted. */
async function purgeRealm({ db, log, services }: Needed, realmId: number, stopping: AbortSignal): Promise<boolean> {
  const { messages, invites, realm } = services;
  const steps = [
    () => deleteRowsOfRealm(db, TABLES, realmId, BATCH_SIZE),
    () => invites.purgeRealm(newCall(), { realmId }),
    () => messages.purgeRealm(newCall(), { realmId }),
    () => realm.purgeRealm(newCall(), { realmId }),
  ];
  for (const step of steps) {
    if (!(await repeatStep(stopping, step))) return false;
  }
  log.info({ realmId }, 'the data of an organization was deleted');
  return true;
}

/**
 * Repeats a step until it is complete; false when it makes no more progress or the process is stopping.
 */
async function repeatStep(stopping: AbortSignal, step: () => Promise<Purged>): Promise<boolean> {
  while (!stopping.aborted) {
    const { deleted, isComplete } = await step();
    if (isComplete) return true;
    if (deleted === 0) return false;
  }
  return false;
}

/** Deletes a person's scheduled messages, reminders and devices, for the operator's command. */
export async function erasePerson({ db }: Context, { realmId, userId }: ErasePersonRequest): Promise<Purged> {
  const deleted = await db.transaction(async (tx) => {
    const devices = await deleteDevicesOf(tx, realmId, [userId]);
    return devices + (await deleteScheduledOf(tx, realmId, userId));
  });
  return { deleted, isComplete: true };
}
