import type { ClientView, PublicShape, Receiver } from '@parley/shared/events';
import type { Counters } from '../counters';
import { type Reach, reachOf } from '../fan-out/reach';

/** Where an event was announced: by which service, and in which transaction of its database, if that is known. */
export interface Origin {
  service: string;
  transactionId: number | null;
}

/** An event as clients get it: one public shape of one payload. Held once per pod, whatever the number of receivers. */
export class LogEntry {
  #reach: Reach | undefined;
  #personal: ((receiver: Receiver) => Record<string, unknown>) | undefined;
  readonly #texts = new Map<string, Buffer>();

  constructor(
    readonly id: number,
    readonly shape: PublicShape<unknown>,
    readonly payload: unknown,
    readonly origin: Origin,
  ) {}

  get type(): string {
    return this.shape.type;
  }

  get reach(): Reach {
    this.#reach ??= reachOf(this.shape.audience(this.payload));
    return this.#reach;
  }

  /** The message on which a receiver's own flags are to be known for `personalTo`; undefined: none. */
  get flaggedMessageId(): number | undefined {
    return this.shape.flaggedMessageId?.(this.payload);
  }

  /** What only this receiver gets. */
  personalTo(receiver: Receiver): Record<string, unknown> {
    this.#personal ??= this.shape.personal?.(this.payload) ?? (() => ({}));
    return this.#personal(receiver);
  }

  /** What all receivers with the same view share: the event's JSON text, without the closing brace. */
  sharedText(view: ClientView, counters: Counters): Buffer {
    const variant = this.shape.variant(view);
    let text = this.#texts.get(variant);
    if (text === undefined) {
      text = Buffer.from(JSON.stringify(this.shape.render(this.payload, view)).slice(0, -1));
      this.#texts.set(variant, text);
      counters.serializations += 1;
    }
    return text;
  }
}
