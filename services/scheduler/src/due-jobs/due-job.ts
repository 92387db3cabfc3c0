/** Kinds of jobs, each of which has its own runner (startDueJobs) and numbers its jobs by itself. */
export type JobKind = string;

/** Which job. */
export interface JobKey {
  realmId: number;
  kind: JobKind;
  id: number;
}

/** A job that a replica has taken. */
export interface ClaimedJob extends JobKey {
  /** This one included. */
  attempts: number;
  /** By which settleDueJob() knows whether it is still this replica's. */
  lease: number;
}
