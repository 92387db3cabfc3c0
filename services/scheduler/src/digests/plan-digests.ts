import { runPeriodically } from '@parley/shared/jobs';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { advanceDigest, beginDigest, putDigests } from './digest.sql';
import { digestDay, digestSince } from './digest-day';

/** How often a replica looks which digests are due. */
const POLL_MS = 5 * 60_000;
/** People whose mails are queued in one transaction. */
const SLICE = 1_000;
/** People who were active within these days know what happened. */
const AWAY_MS = 5 * 24 * 3_600_000;

type Needed = Pick<Context, 'db' | 'clock' | 'log' | 'services'>;

export interface DigestPlanning {
  /** Plans the digests that are due; for tests. */
  runOnce(): Promise<void>;
  /** Resolves when this replica has finished its present slice. */
  stop(): Promise<void>;
}

/**
 * Queues a mail for everybody who was away, once a week, on the organization's day. How far it is changes with the mails of each slice, in one
 * transaction, so a crash neither loses nor repeats any; of two replicas that plan the same slice, one does.
 */
export function planDigestsPeriodically(ctx: Needed): DigestPlanning {
  const failure = 'could not plan digests';
  // At the start, too: what a killed replica left is not to wait.
  const wokenBy = (wake: () => void) => ctx.clock.after(0, wake);
  const stop = runPeriodically(ctx, { everyMs: POLL_MS, failure, wokenBy }, (stopping) => plan(ctx, stopping));
  return { runOnce: () => plan(ctx, new AbortController().signal), stop };
}

async function plan(ctx: Needed, stopping: AbortSignal): Promise<void> {
  const { realms } = await ctx.services.realm.listDigestRealms(newCall(), {});
  for (const { realmId, weekday } of realms) {
    const dayMs = digestDay(weekday, ctx.clock.now());
    if (dayMs !== null) await planRealm(ctx, realmId, dayMs, stopping);
  }
}

async function planRealm(ctx: Needed, realmId: number, dayMs: number, stopping: AbortSignal): Promise<void> {
  try {
    while (!stopping.aborted && (await planSlice(ctx, realmId, dayMs)));
  } catch (error) {
    ctx.log.warn({ realmId, err: error }, 'a digest could not be planned; will be tried again');
  }
}

/** Queues the mails of the next people; false: there are no more. */
async function planSlice({ db, clock, services }: Needed, realmId: number, dayMs: number): Promise<boolean> {
  const day = new Date(dayMs).toISOString().slice(0, 10);
  const run = await beginDigest(db, realmId, day);
  if (run === null) return false;
  const { afterUserId } = run;
  const nowMs = clock.now();
  const asked = { realmId, afterUserId, inactiveSinceMs: nowMs - AWAY_MS, limit: SLICE };
  const { recipients } = await services.realm.listDigestRecipients(newCall(), asked);
  const isLast = recipients.length < SLICE;
  const toUserId = recipients.at(-1)?.userId ?? afterUserId;
  await db.transaction(async (tx) => {
    if (!(await advanceDigest(tx, { realmId, day, afterUserId, toUserId, isLast }))) return;
    await putDigests(tx, { realmId, sinceMs: digestSince(dayMs), nowMs }, recipients);
  });
  return !isLast;
}
