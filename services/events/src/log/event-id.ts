/**
 * An event's id is its position in the log, the same for every queue and on every pod:
 *
 * id = sequence of the record × 65,536 + index of the payload in the record × 1,024 + index among the public events it becomes
 *
 * Sequences grow and are never reused, so ids grow in the order of the log, and the last id that a client has seen is a cursor that any pod
 * can continue from: no pod keeps a count for a queue. A record has at most 32 payloads (indexes 0 to 31). Index 63 belongs to heartbeats:
 * they come after every event of their record and before the next record. Ids stay exact integers (below 2^53) for 2^37 records.
 */
const IDS_PER_RECORD = 65_536;
const IDS_PER_PAYLOAD = 1_024;
const HEARTBEAT_INDEX = 63;

export function eventId(recordSeq: number, payloadIndex: number, index: number): number {
  return recordSeq * IDS_PER_RECORD + payloadIndex * IDS_PER_PAYLOAD + index;
}

/** The record that an id points into; -1 for the id -1, "before everything". */
export function recordSeqOf(id: number): number {
  return Math.floor(id / IDS_PER_RECORD);
}

/**
 * The position after all events of a record and before its heartbeats; for record 0, which does not exist: the log's beginning.
 */
export function endOfRecord(recordSeq: number): number {
  return eventId(recordSeq, HEARTBEAT_INDEX, 0) - 1;
}

/**
 * The id of a heartbeat for a client at `cursor` that has got everything up to and including a record. Higher than the cursor
 * while there is room (1,024 heartbeats without a new record), and never so high that it would skip an event.
 */
export function heartbeatId(deliveredSeq: number, cursor: number): number {
  const first = eventId(deliveredSeq, HEARTBEAT_INDEX, 0);
  const last = first + IDS_PER_PAYLOAD - 1;
  // A pod that is behind the one which served the cursor repeats the cursor.
  return Math.max(cursor, Math.min(last, Math.max(first, cursor + 1)));
}
