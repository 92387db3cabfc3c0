import {
  type ClientView,
  causeOf,
  type EventCause,
  type FirstMessageOf,
  type PublicShape,
  type Receiver,
} from '@parley/shared/events';
import { type ResolvedAudience, resolveAudience } from '../audience/resolved-audience';
import type { Counters } from '../base/counters';

/** The service that announced an event, and the transaction of its database, if known. */
interface Origin {
  service: string;
  transactionId: number | null;
}

/** An event as clients get it: one public shape of one payload. One object per pod, whatever the number of receivers. */
export class LogEntry {
  #audience: ResolvedAudience | undefined;
  #personal: ((receiver: Receiver) => Record<string, unknown>) | undefined;
  readonly #texts = new Map<string, Buffer>();
  #begunChannelIds: readonly number[] | undefined;
  /** The first messages of `begunChannelIds`. */
  #firstMessageOf: FirstMessageOf | undefined;

  constructor(
    readonly id: number,
    readonly shape: PublicShape<unknown>,
    readonly payload: unknown,
    readonly origin: Origin,
  ) {}

  get type(): string {
    return this.shape.type;
  }

  /** The cause of the event, see causedBy(). */
  get cause(): EventCause | undefined {
    return causeOf(this.payload);
  }

  get audience(): ResolvedAudience {
    this.#audience ??= resolveAudience(this.shape.audience(this.payload));
    return this.#audience;
  }

  /** The message on which `personalTo` needs a receiver's own flags; undefined: none. */
  get flaggedMessageId(): number | undefined {
    return this.shape.flaggedMessageId?.(this.payload);
  }

  /** The channels whose first messages the event contains. */
  get begunChannelIds(): readonly number[] {
    this.#begunChannelIds ??= this.shape.begunChannelIds?.(this.payload) ?? [];
    return this.#begunChannelIds;
  }

  /** Whether the first messages of its channels must be loaded before it can be serialized. */
  get lacksFirstMessages(): boolean {
    return this.#firstMessageOf === undefined && this.begunChannelIds.length > 0;
  }

  /** Only the first call counts, so that all receivers get the same text. */
  learnFirstMessages(firstMessageOf: FirstMessageOf): void {
    this.#firstMessageOf ??= firstMessageOf;
  }

  /** The members for this receiver only. */
  personalTo(receiver: Receiver): Record<string, unknown> {
    this.#personal ??= this.shape.personal?.(this.payload) ?? (() => ({}));
    return this.#personal(receiver);
  }

  /** The part that all receivers with the same view share: the event's JSON text, without the closing brace. */
  sharedText(view: ClientView, counters: Counters): Buffer {
    const variant = this.shape.variant(view);
    let text = this.#texts.get(variant);
    if (text === undefined) {
      text = Buffer.from(JSON.stringify(this.shape.render(this.payload, view, this.#firstMessageOf)).slice(0, -1));
      this.#texts.set(variant, text);
      counters.serializations += 1;
    }
    return text;
  }
}
