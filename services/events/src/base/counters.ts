/** Counters of this pod: they drive autoscaling, and tests check them. */
export interface Counters {
  /** Polls that wait for an event now. */
  parkedPolls: number;
  /** Times that the part of an event which receivers share was turned into text: once per variant. */
  serializations: number;
}
