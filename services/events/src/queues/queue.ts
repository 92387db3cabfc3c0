import { TransactionSnapshot } from '@parley/shared/db';
import type { ClientView } from '@parley/shared/events';
import type { LogEntry } from '../log/log-entry';
import type { Attention } from '../personal/attention';
import { compileNarrow, type MessageFilter, type NarrowTerm } from './narrow';
import type { PendingPoll } from './pending-poll';

/** The stored part of a queue. Its events are in the log, its position is with the client. */
export interface QueueDescriptor {
  queueId: string;
  realmId: number;
  userId: number;
  /** The API key with which it was created, and ends; 0: none. */
  apiKeyId: number;
  /** Null: every type. */
  eventTypes: string[] | null;
  narrow: NarrowTerm[];
  /** Also offered every message of a public channel, received or not. */
  isWide: boolean;
  view: ClientView;
  capabilities: string[];
  clientName: string;
  lifespanSecs: number;
  /** The log in which it began, and its first position there. */
  epoch: string;
  beginsAt: number;
  /** The snapshots from which the client's state was read, by service. Absent in older queues. */
  snapshots?: Readonly<Record<string, string>>;
  /** UNIX milliseconds. */
  expiresAt: number;
}

/** A queue that this pod serves; at most one poll at a time waits on it here. */
export class Queue {
  poll: PendingPoll | undefined;
  /** Its last poll came to this pod, and the others were notified. */
  isPolledHere = false;
  /** Deleted or expired, here or on another pod. */
  isDeleted = false;
  /** When it last got events here, by the clock of DeliveryPauses; undefined: its next events are not delayed. */
  answeredAtMs: number | undefined;
  /** Its later expiry is being stored. */
  isBeingKept = false;
  /** Its owner's; loaded while a poll is parked, and once it was needed. */
  attention: Attention | undefined;
  /** Size of the descriptor's text. */
  readonly byteLength: number;
  /** Null: it gets all messages. */
  readonly messageFilter: MessageFilter | null;
  readonly #types: ReadonlySet<string> | null;
  readonly #snapshots: Snapshots;

  constructor(
    public descriptor: QueueDescriptor,
    /** Of the descriptor, in the store. */
    public revision: number,
  ) {
    this.byteLength = Buffer.byteLength(JSON.stringify(descriptor));
    this.messageFilter = descriptor.narrow.length > 0 ? compileNarrow(descriptor.narrow) : null;
    this.#types = descriptor.eventTypes && new Set(descriptor.eventTypes);
    this.#snapshots = parsed(descriptor.snapshots);
  }

  acceptsType(type: string): boolean {
    return this.#types === null || this.#types.has(type);
  }

  /** Whether the client has requested that type explicitly; a client of all types has not. */
  namesType(type: string): boolean {
    return this.#types?.has(type) === true;
  }

  /** Whether the client's initial state includes the event, or its cause. */
  isInState({ origin, cause, shape }: LogEntry): boolean {
    if (shape.isAlwaysSent) return false;
    return this.#hasSeen(origin) || (cause !== undefined && this.#hasSeen(cause));
  }

  #hasSeen({ service, transactionId }: { service: string; transactionId: number | null }): boolean {
    return transactionId !== null && this.#snapshots[service]?.contains(transactionId) === true;
  }

  /** Copies the stored descriptor; only the expiry ever changes. */
  adopt({ descriptor, revision }: { descriptor: QueueDescriptor; revision: number }): void {
    this.descriptor = descriptor;
    this.revision = revision;
  }
}

/** By service. An object takes a quarter of the memory of a map: there are thousands of queues. */
type Snapshots = Readonly<Record<string, TransactionSnapshot>>;

const NONE: Snapshots = {};

function parsed(snapshots: QueueDescriptor['snapshots']): Snapshots {
  if (!snapshots) return NONE;
  const entries = Object.entries(snapshots).map(
    ([service, text]) => [service, TransactionSnapshot.parse(text)] as const,
  );
  return Object.fromEntries(entries.filter((entry): entry is [string, TransactionSnapshot] => entry[1] !== undefined));
}
