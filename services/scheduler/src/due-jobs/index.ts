export type { ClaimedJob, JobKey, JobKind } from './due-job';
export { cancelDueJob, postponeDueJobs, putDueJob, settleDueJob } from './due-job.sql';
export { type DueJobs, type DueJobsDefinition, startDueJobs } from './start-due-jobs';
