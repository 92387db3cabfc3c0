import type { Context } from '../context';
import type { DueJobsDefinition } from '../due-jobs';
import { SEND_LEASE_MS } from '../schedule/sending-caller';
import { deliverScheduledMessage } from './deliver-scheduled-message';
import { joinDeliveries } from './join-deliveries';
import { JOB_KIND } from './scheduled-message';

/** What is done when scheduled messages are due. */
export function scheduledMessageJobs(ctx: Omit<Context, 'dueJobs'>): DueJobsDefinition {
  const delivering = { ...ctx, ...joinDeliveries(ctx) };
  return {
    kind: JOB_KIND,
    concurrency: ctx.config.SCHEDULED_SENDS_AT_ONCE,
    leaseMs: SEND_LEASE_MS,
    run: (job) => deliverScheduledMessage(delivering, job),
  };
}
