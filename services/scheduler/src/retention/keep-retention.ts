import { withAdvisoryLock } from '@parley/shared/db';
import type { Purged } from '@parley/shared/proto';
import { deleteOldAnswers } from '@parley/shared/request-keys';
import { newCall } from '@parley/shared/rpc';
import { keepDoing } from '@parley/shared/service';
import type { Context } from '../context';
import { attempt } from './attempt';
import { deleteExpiredMessages } from './delete-expired-messages';
import { purgeRealms } from './purge-realms';
import { repeatStep } from './repeat-step';
import { isRetentionDue, noteRetention } from './retention.sql';

/** How often a replica looks whether it is time. */
const POLL_MS = 5 * 60_000;
const LOCK = 'parley-retention';
const MINUTE_MS = 60_000;
const BATCH_SIZE = 1_000;

type Needed = Omit<Context, 'dueJobs' | 'outside'>;

export interface Retention {
  /** Deletes what is kept no longer if it is time to; for tests. */
  runOnce(): Promise<void>;
  /** Resolves once the batch is finished that this replica is deleting. */
  stop(): Promise<void>;
}

/**
 * Deletes what is kept no longer, until it is stopped: once in RETENTION_INTERVAL_MINUTES, however many replicas there are, by one of
 * them. When that one dies, when something fails or has to wait, it is tried again after a few minutes; every step may be done twice.
 */
export function keepRetention(ctx: Needed): Retention {
  const failure = 'it could not be found out what is kept no longer';
  const stop = keepDoing(ctx, { everyMs: POLL_MS, failure }, (stopping) => runIfDue(ctx, stopping));
  return { runOnce: () => runIfDue(ctx, new AbortController().signal), stop };
}

async function runIfDue(ctx: Needed, stopping: AbortSignal): Promise<void> {
  const isDue = () => isRetentionDue(ctx.db, ctx.clock.now() - ctx.config.RETENTION_INTERVAL_MINUTES * MINUTE_MS);
  if (!(await isDue())) return;
  await withAdvisoryLock(ctx.db.url, LOCK, async () => {
    // Another replica may just have done it.
    if (!(await isDue())) return;
    const isDone = await run(ctx, stopping);
    if (isDone && !stopping.aborted) await noteRetention(ctx.db, ctx.clock.now());
  });
}

/** False when some of it failed, or has to wait. */
async function run(ctx: Needed, stopping: AbortSignal): Promise<boolean> {
  const { invites } = ctx.services;
  const chores: Record<string, () => Promise<boolean>> = {
    'expired messages': () => deleteExpiredMessages(ctx, stopping),
    'ended invitations': () => repeatStep(stopping, () => invites.deleteEndedInvitations(newCall(), {})),
    'first answers': () => repeatStep(stopping, () => forgetAnswers(ctx)),
    'closed organizations': () => purgeRealms(ctx, stopping),
  };
  let isDone = true;
  for (const [what, chore] of Object.entries(chores)) {
    isDone = (await attempt(ctx.log, { what }, chore)) && isDone;
  }
  return isDone;
}

async function forgetAnswers(ctx: Needed): Promise<Purged> {
  const deleted = await deleteOldAnswers(ctx, BATCH_SIZE);
  return { deleted, isComplete: deleted === 0 };
}
