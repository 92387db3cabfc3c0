import type { LogRecord } from '@parley/shared/bus';
import { domainEvents, type EventKind, type MessageSent, messageSent, type PublicShape } from '@parley/shared/events';
import type { ChangedNames } from './changed-names';
import { eventId } from './event-id';
import { LogEntry } from './log-entry';

/** Memory of a parsed record, as a multiple of its bytes: the objects, and the texts made of them. */
const OPENED_WEIGHT = 3;

/** Bytes of one of many public events of a payload, which are more than those of the payload. */
const PART_WEIGHT = 500;

/** A record of the log in a pod's memory: bytes until its first use, entries from then on. */
export class WindowRecord {
  #content: { bytes: Buffer } | { payloads: readonly unknown[]; entries: readonly LogEntry[] };
  #weight: number;
  /** The organization of its events. */
  traces: readonly string[] = [];

  constructor(
    readonly seq: number,
    readonly realmId: number,
    readonly kind: EventKind,
    bytes: Buffer,
    private readonly onGrown: (addedWeight: number) => void,
    private readonly names: ChangedNames,
  ) {
    this.#content = { bytes };
    this.#weight = bytes.length;
  }

  /** Approximate memory. */
  get weight(): number {
    return this.#weight;
  }

  /** In chronological order. */
  get payloads(): readonly unknown[] {
    return this.#open().payloads;
  }

  /** In the order of their ids. */
  get entries(): readonly LogEntry[] {
    return this.#open().entries;
  }

  get shapes(): readonly PublicShape<unknown>[] {
    return domainEvents[this.kind].publicShapes as readonly PublicShape<unknown>[];
  }

  #open() {
    if ('bytes' in this.#content) {
      const record = this.#corrected(JSON.parse(this.#content.bytes.toString()) as LogRecord);
      this.#content = { payloads: record.payloads, entries: this.#entriesOf(record) };
      const parts = this.#content.entries.filter(({ shape }) => shape.parts !== undefined);
      const addedWeight = this.#weight * (OPENED_WEIGHT - 1) + parts.length * PART_WEIGHT;
      this.#weight += addedWeight;
      this.onGrown(addedWeight);
    }
    return this.#content;
  }

  #corrected(record: LogRecord): LogRecord {
    if (this.kind !== messageSent.kind) return record;
    const correct = (sent: unknown) => this.names.corrected(this.realmId, sent as MessageSent, this.seq);
    return { ...record, payloads: record.payloads.map(correct) };
  }

  #entriesOf({ service, transactionIds, payloads }: LogRecord): LogEntry[] {
    return payloads.flatMap((payload, payloadIndex) => {
      const origin = { service, transactionId: transactionIds?.[payloadIndex] ?? null };
      const parts = this.shapes.flatMap((shape) =>
        (shape.parts?.(payload) ?? [payload]).map((part) => ({ shape, part })),
      );
      return parts.map(
        ({ shape, part }, index) => new LogEntry(eventId(this.seq, payloadIndex, index), shape, part, origin),
      );
    });
  }
}
