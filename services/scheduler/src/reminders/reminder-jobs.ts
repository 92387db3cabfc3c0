import type { Context } from '../context';
import type { DueJobsDefinition, JobKey } from '../due-jobs';
import { SEND_LEASE_MS } from '../schedule/sending-caller';
import { deliverReminder } from './deliver-reminder';

export const JOB_KIND = 'reminder';

/** The job that sends a reminder. */
export function reminderJob(realmId: number, id: number): JobKey {
  return { realmId, kind: JOB_KIND, id };
}

/** What is done when reminders are due. */
export function reminderJobs(ctx: Omit<Context, 'dueJobs'>): DueJobsDefinition {
  return {
    kind: JOB_KIND,
    concurrency: ctx.config.SCHEDULED_SENDS_AT_ONCE,
    leaseMs: SEND_LEASE_MS,
    run: (job) => deliverReminder(ctx, job),
  };
}
