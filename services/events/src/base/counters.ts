/** Counters of this pod: they drive autoscaling, and tests check them. */
export interface Counters {
  /** Number of pending polls. */
  parkedPolls: number;
  /** Number of serializations of the shared part of an event: once per variant. */
  serializations: number;
}
