// Work that is leased and tried again: jobs in a table of the service's own database, put there in the transaction that wants them:
// scheduled messages, reminders and calls of bots (`due_job`), and mails (`mail_job`).
//
// graphile-worker is not used, because it gives a dead worker's job to another one only after four hours, while a scheduled
// message waits for twenty seconds. And it removes a finished job on a separate connection, while here a job is settled in the
// transaction of its effect: done once, even if a replica is killed in between.

export { type DueJobs, type DueJobsDefinition, startDueJobs } from './due-jobs';
export {
  type ClaimedJob,
  cancelDueJob,
  claimDueJobs,
  type JobKey,
  type JobKind,
  postponeDueJobs,
  putDueJob,
  settleDueJob,
  settleDueJobs,
} from './due-jobs.sql';
export { type Claim, createJobs, type Jobs, type JobsDefinition, type JobTable } from './run-jobs';
export { type PeriodicTask, runPeriodically } from './run-periodically';
