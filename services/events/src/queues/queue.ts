import type { ClientView } from '@parley/shared/events';
import type { Attention } from '../attention/attention';
import type { HeldPoll } from './held-poll';
import { compileNarrow, type MessageFilter, type NarrowTerm } from './narrow';

/** What is stored of a queue. There is nothing else: its events are in the log, its position is with the client. */
export interface QueueDescriptor {
  queueId: string;
  realmId: number;
  userId: number;
  /** The key that it was made with, and with which it ends; 0 when there was none. */
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
  /** The log in which it began, and the position behind which. */
  epoch: string;
  beginsAt: number;
  /** UNIX milliseconds. */
  expiresAt: number;
}

/** A queue that this pod has served; at most one poll at a time waits on it here. */
export class Queue {
  poll: HeldPoll | undefined;
  /** Its last poll came to this pod, which the others know. */
  isPolledHere = false;
  /** Deleted or expired, here or on another pod. */
  isGone = false;
  /** Its later expiry is being stored. */
  isBeingKept = false;
  /** Its owner's; known while a poll is parked, and once it was needed. */
  attention: Attention | undefined;
  /** Of the descriptor, as text. */
  readonly byteLength: number;
  /** Null when it wants every message. */
  readonly messageFilter: MessageFilter | null;
  readonly #types: ReadonlySet<string> | null;

  constructor(
    public descriptor: QueueDescriptor,
    /** Of the descriptor, in the store. */
    public revision: number,
  ) {
    this.byteLength = Buffer.byteLength(JSON.stringify(descriptor));
    this.messageFilter = descriptor.narrow.length > 0 ? compileNarrow(descriptor.narrow) : null;
    this.#types = descriptor.eventTypes && new Set(descriptor.eventTypes);
  }

  acceptsType(type: string): boolean {
    return this.#types === null || this.#types.has(type);
  }

  /** Whether the client has asked for that very type; who takes every type has not. */
  namesType(type: string): boolean {
    return this.#types?.has(type) === true;
  }

  /** Takes over what the store has; only the expiry ever changes. */
  adopt({ descriptor, revision }: { descriptor: QueueDescriptor; revision: number }): void {
    this.descriptor = descriptor;
    this.revision = revision;
  }
}
