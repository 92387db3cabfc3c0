import type { EventKind } from '@parley/shared/events';
import { ChangedNames } from './changed-names';
import { endOfRecord, recordSeqOf } from './event-id';
import { WindowRecord } from './window-record';

/** Part of the window that is dropped when it is full, so that the cost per record is low. */
const DROPPED_SHARE = 1 / 16;

interface RealmRecords {
  records: WindowRecord[];
  /** Events up to this position may be missing. */
  floor: number;
}

/** The log's recent records in memory: by organization, in the log's order, the oldest dropped first. */
export class LogWindow {
  /** Sequence of the newest record read; 0: none. */
  head = 0;
  /** What is to be corrected in its messages. */
  readonly names = new ChangedNames();
  #floor = endOfRecord(0);
  #weight = 0;
  #records: WindowRecord[] = [];
  readonly #realms = new Map<number, RealmRecords>();

  constructor(private readonly limitBytes: number) {}

  /** Approximate memory. */
  get weight(): number {
    return this.#weight;
  }

  /** Drops everything; the next record is the one after `seq`. */
  restartAfter(seq: number): void {
    this.head = seq;
    this.#floor = endOfRecord(seq);
    this.#weight = 0;
    this.#records = [];
    this.#realms.clear();
    this.names.forgetAll();
  }

  /** Adds the next record; it stays if it has events for clients. */
  append(seq: number, realmId: number, kind: EventKind, bytes: Buffer): WindowRecord {
    const record = new WindowRecord(seq, realmId, kind, bytes, this.#grow, this.names);
    this.head = seq;
    if (record.shapes.length > 0) this.#hold(record);
    return record;
  }

  /** Skips a record without events known to this version. */
  skip(seq: number): void {
    this.head = seq;
  }

  /** The lowest position from which an organization's events are complete. */
  floorOf(realmId: number): number {
    return this.#realms.get(realmId)?.floor ?? this.#floor;
  }

  /** Whether a record that was appended has not been dropped yet. */
  holds({ realmId, seq }: WindowRecord): boolean {
    return endOfRecord(seq) > this.floorOf(realmId);
  }

  /** An organization's records that may have events after `position`, in order. */
  *recordsAfter(realmId: number, position: number): Generator<WindowRecord> {
    const records = this.#realms.get(realmId)?.records ?? [];
    const seq = recordSeqOf(position);
    const first = firstFrom(records, position < endOfRecord(seq) ? seq : seq + 1);
    for (let index = first; index < records.length; index += 1) yield records[index] as WindowRecord;
  }

  readonly #grow = (addedWeight: number) => {
    this.#weight += addedWeight;
  };

  #hold(record: WindowRecord): void {
    const { realmId } = record;
    this.#records.push(record);
    this.#grow(record.weight);
    const realm = this.#realms.get(realmId);
    if (realm) realm.records.push(record);
    else this.#realms.set(realmId, { records: [record], floor: this.#floor });
    if (this.#weight > this.limitBytes) this.#dropOldest();
  }

  #dropOldest(): void {
    // Measured again: a record may have grown after it was dropped.
    this.#weight = this.#records.reduce((sum, { weight }) => sum + weight, 0);
    const target = this.limitBytes * (1 - DROPPED_SHARE);
    let count = 0;
    const dropped = new Map<RealmRecords, number>();
    while (this.#weight > target && count < this.#records.length - 1) {
      const record = this.#records[count] as WindowRecord;
      const realm = this.#realms.get(record.realmId) as RealmRecords;
      realm.floor = endOfRecord(record.seq);
      dropped.set(realm, (dropped.get(realm) ?? 0) + 1);
      this.#weight -= record.weight;
      count += 1;
    }
    this.#records.splice(0, count);
    for (const [realm, records] of dropped) realm.records.splice(0, records);
  }
}

/** Index of the first record whose sequence is at least `seq`. */
function firstFrom(records: readonly WindowRecord[], seq: number): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((records[middle] as WindowRecord).seq < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
