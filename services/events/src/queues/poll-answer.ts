import type { ClientView } from '@parley/shared/events';
import type { Counters } from '../base/counters';
import type { LogEntry } from '../log/log-entry';

const MAX_BYTES = 1024 ** 2;
const MAX_EVENTS = 5_000;
const [BEGIN, SEPARATOR, END] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')] as const;

export const NO_EVENTS = Buffer.from('[]');

/** An event that the following one may be joined with; `payload` is the joined one so far. */
interface LastEvent {
  entry: LogEntry;
  view: ClientView;
  payload: unknown;
  personal: Record<string, unknown>;
}

/** The text of an event: a part that answers share, and the receiver's own members. */
interface EventText {
  shared: Buffer;
  own: string;
}

/** Answers with one event: equal ones share their bytes, which are written to each gateway once. */
export class SharedAnswers {
  readonly #answers = new Map<Buffer, Map<string, Buffer>>();

  of({ shared, own }: EventText): Buffer {
    const answers = this.#answers.get(shared) ?? new Map<string, Buffer>();
    this.#answers.set(shared, answers);
    const answer = answers.get(own) ?? toArray([{ shared, own }]);
    answers.set(own, answer);
    return answer;
  }
}

/** The events of one answer to a poll, concatenated from texts that other answers share. */
export class PollAnswer {
  readonly #events: EventText[] = [];
  #byteLength = 0;
  #count = 0;
  #last: LastEvent | undefined;

  constructor(private readonly counters: Counters) {}

  /** `personal` are the receiver's own members. */
  add(entry: LogEntry, view: ClientView, personal: Record<string, unknown>): void {
    this.#count += 1;
    const joined = this.#joinedWithLast(entry);
    if (joined === null) this.#writeLast();
    // Only consecutive events are joined, under the later id: a client may acknowledge any prefix of its answer.
    this.#last = { entry, view, personal, payload: joined ?? entry.payload };
    if (entry.shape.join === undefined) this.#writeLast();
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** The rest comes with the next poll. */
  get isFull(): boolean {
    return this.#byteLength >= MAX_BYTES || this.#count >= MAX_EVENTS;
  }

  /** A JSON array. */
  toJson(answers?: SharedAnswers): Buffer {
    this.#writeLast();
    const [first] = this.#events;
    return first && this.#events.length === 1 && answers ? answers.of(first) : toArray(this.#events);
  }

  #joinedWithLast({ shape, payload }: LogEntry): unknown {
    if (shape.join === undefined || this.#last?.entry.shape !== shape) return null;
    return shape.join(this.#last.payload, payload);
  }

  #writeLast(): void {
    if (this.#last === undefined) return;
    const { entry, view, payload, personal } = this.#last;
    this.#last = undefined;
    const isWhole = entry.payload === payload;
    const shared = isWhole ? entry.sharedText(view, this.counters) : this.#textOf(entry, view, payload);
    const own = `,${JSON.stringify(personal).slice(1)}`;
    this.#events.push({ shared, own });
    this.#byteLength += shared.length + own.length;
  }

  /** The text of a joined event belongs to this answer only. */
  #textOf({ shape }: LogEntry, view: ClientView, payload: unknown): Buffer {
    this.counters.serializations += 1;
    return Buffer.from(JSON.stringify(shape.render(payload, view)).slice(0, -1));
  }
}

function toArray(events: readonly EventText[]): Buffer {
  const parts = events.flatMap(({ shared, own }) => [SEPARATOR, shared, Buffer.from(own)]);
  return Buffer.concat([BEGIN, ...parts.slice(1), END]);
}
