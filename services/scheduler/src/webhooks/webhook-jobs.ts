import type { Context } from '../context';
import type { ClaimedJob, DueJobsDefinition } from '../due-jobs';
import { deliverCall } from './deliver-call';
import { JOB_KIND } from './delivery';

/** Beside the call itself: to say what came of it, and to note that. */
const REST_OF_LEASE_MS = 30_000;

/** What is done when bots are to be called. `wake` is told that a call has ended, and another one may begin. */
export function webhookJobs(ctx: Omit<Context, 'dueJobs'>, wake: () => void): DueJobsDefinition {
  const { OUTGOING_WEBHOOKS_AT_ONCE, OUTGOING_WEBHOOK_TIMEOUT_SECS } = ctx.config;
  return {
    kind: JOB_KIND,
    concurrency: OUTGOING_WEBHOOKS_AT_ONCE,
    leaseMs: OUTGOING_WEBHOOK_TIMEOUT_SECS * 1_000 + REST_OF_LEASE_MS,
    async run(job: ClaimedJob) {
      await deliverCall(ctx, job);
      wake();
    },
  };
}
