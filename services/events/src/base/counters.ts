/** What this pod counts: the signal by which pods of this service are added, and what tests hold it to. */
export interface Counters {
  /** Polls that wait for an event now. */
  parkedPolls: number;
  /** Times that the part of an event which receivers share was turned into text: once per variant. */
  serializations: number;
}
