import type { OutboxRow } from './outbox.sql';
import { withoutTrace } from './traces';

/** A log record's body: several events of one organization and kind. */
export interface LogRecord {
  service: string;
  kind: string;
  realmId: number;
  /** Ids of the events in the service's outbox. */
  ids: number[];
  /** The transaction of each event, in the service's database; absent, or null, if it is unknown. */
  transactionIds?: (number | null)[];
  payloads: unknown[];
}

/** Maximum number of events in one log record. */
export const MAX_EVENTS_PER_RECORD = 32;
const MAX_RECORD_BYTES = 256 * 1024;

/** Rows in order, as records: each a run of rows of one organization and kind, limited in number and bytes. */
export function toRecords(rows: readonly OutboxRow[]): OutboxRow[][] {
  const records: OutboxRow[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const record = records.at(-1);
    const [first] = record ?? [];
    bytes += row.payload.length;
    const belongs = first?.realmId === row.realmId && first.kind === row.kind;
    if (record && belongs && record.length < MAX_EVENTS_PER_RECORD && bytes <= MAX_RECORD_BYTES) {
      record.push(row);
    } else {
      records.push([row]);
      bytes = row.payload.length;
    }
  }
  return records;
}

/** A record as published. The payloads were serialized when they were stored; they are concatenated, not parsed. */
export function recordOf(service: string, record: readonly OutboxRow[]): { body: string; traces: string[] } {
  const [first] = record as [OutboxRow];
  const ids = record.map(({ id }) => id);
  const transactionIds = record.map(({ transactionId }) => transactionId);
  const { realmId, kind } = first;
  const head = JSON.stringify({ service, kind, realmId, ids, transactionIds }).slice(0, -1);
  const rows = record.map(({ payload }) => withoutTrace(payload));
  return {
    body: `${head},"payloads":[${rows.map(({ payload }) => payload).join(',')}]}`,
    traces: rows.flatMap(({ trace }) => trace ?? []),
  };
}
