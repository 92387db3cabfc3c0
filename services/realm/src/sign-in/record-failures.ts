import { randomUUID } from 'node:crypto';
import { runPeriodically } from '@parley/shared/jobs';
import { appendEntries } from '../audit/chain';
import type { Context } from '../context';
import { type CountedFailure, listRealmsWithFailures, takeFailures } from './sign-in.sql';

const EVERY_MS = 60_000;
/** Failures are counted for this long before they become entries. */
const COUNTED_MS = 5 * 60_000;
const LOCK = 'parley-sign-in-failures';

type Needed = Pick<Context, 'db' | 'clock' | 'log' | 'config'>;

/** Records failed sign-ins in the audit log periodically, on one replica at a time, until the returned function is called. */
export function recordFailuresPeriodically(ctx: Needed): () => Promise<void> {
  const lock = { url: ctx.db.url, name: LOCK };
  const failure = 'failed sign-ins were not recorded';
  return runPeriodically(ctx, { everyMs: EVERY_MS, failure, lock }, () => recordFailures(ctx));
}

/** Adds an entry for each account and address whose first failure was long enough ago. */
export async function recordFailures(ctx: Needed): Promise<void> {
  for (const realmId of await listRealmsWithFailures(ctx.db, ctx.clock.now() - COUNTED_MS)) {
    await ctx.db.transaction(async (tx) => {
      for (const failure of await takeFailures(tx, realmId)) {
        const { address } = failure;
        const deed = {
          ...{ act: 'sign-in-failed', actor: { kind: 'service' as const }, requestId: randomUUID() },
          ...(address !== '' && { address }),
        };
        await appendEntries(ctx, tx, realmId, deed, [effectOf(realmId, failure)]);
      }
    });
  }
}

function effectOf(realmId: number, { userId, failures, firstAtMs, lastAtMs }: CountedFailure) {
  const subject = userId === 0 ? { kind: 'organization', id: realmId } : { kind: 'user', id: userId };
  const [first_at, last_at] = [firstAtMs, lastAtMs].map((ms) => new Date(ms).toISOString());
  return { subject, after: { failures, first_at, last_at } };
}
