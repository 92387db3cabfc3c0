import { randomBytes } from 'node:crypto';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

export const OPERATIONS = [
  'open channel',
  'scroll',
  'mark read',
  'type',
  'send',
  'presence',
  'register',
  'poll',
  'delivery',
] as const;

/** The timed operations. `poll` lasts until an event; `delivery` from a send to each poll that has it. */
export type Operation = (typeof OPERATIONS)[number];

/** Operations that users wait for: the verdict judges these, beside deliveries. */
const AWAITED: readonly Operation[] = ['open channel', 'scroll', 'mark read', 'type', 'send', 'presence'];

export interface Durations {
  count: number;
  averageMs: number;
  p50Ms: number;
  p99Ms: number;
}

/** The figures of a run. Registrations count from the start, everything else after `measure()`. */
export class Figures {
  readonly #histograms = new Map<Operation, RecordableHistogram>(OPERATIONS.map((name) => [name, createHistogram()]));
  readonly #awaited = createHistogram();
  readonly #errors = new Map<string, number>();
  #requests = 0;
  #isMeasuring = false;
  #isOver = false;

  /** Starts the measurement. */
  measure(): void {
    this.#isMeasuring = true;
  }

  /** Requests aborted after this are not errors. */
  end(): void {
    this.#isOver = true;
  }

  note(operation: Operation, durationMs: number): void {
    if (!this.#counts(operation)) return;
    if (operation !== 'delivery') this.#requests += 1;
    const micros = Math.max(1, Math.round(durationMs * 1_000));
    this.#histograms.get(operation)?.record(micros);
    if (AWAITED.includes(operation)) this.#awaited.record(micros);
  }

  noteError(operation: Operation, kind: string): void {
    if (!this.#counts(operation)) return;
    this.#requests += 1;
    const name = `${operation}: ${kind}`;
    this.#errors.set(name, (this.#errors.get(name) ?? 0) + 1);
  }

  of(operation: Operation): Durations {
    return durationsIn(this.#histograms.get(operation) as RecordableHistogram);
  }

  /** All operations that users wait for, together. */
  get awaited(): Durations {
    return durationsIn(this.#awaited);
  }

  /** Successful or not; deliveries are not requests. */
  get requests(): number {
    return this.#requests;
  }

  get errors(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#errors);
  }

  get errorCount(): number {
    return [...this.#errors.values()].reduce((sum, count) => sum + count, 0);
  }

  #counts(operation: Operation): boolean {
    return !this.#isOver && (this.#isMeasuring || operation === 'register');
  }
}

function durationsIn(histogram: RecordableHistogram): Durations {
  const { count } = histogram;
  if (count === 0) return { count, averageMs: 0, p50Ms: 0, p99Ms: 0 };
  const atMs = (percentile: number) => histogram.percentile(percentile) / 1_000;
  return { count, averageMs: histogram.mean / 1_000, p50Ms: atMs(50), p99Ms: atMs(99) };
}

const WORDS = 'Shall we look at it together after lunch, or would tomorrow morning suit everybody better?';

/** A mark in a message's text from which each receiver computes its delivery time. */
export class DeliveryMark {
  readonly #run = randomBytes(4).toString('hex');
  readonly #pattern = new RegExp(`run ${this.#run} at (\\d+)`);

  write(): string {
    return `${WORDS} (run ${this.#run} at ${Math.round(performance.now())})`;
  }

  /** When it was sent, by performance.now(); undefined for messages not sent by this run. */
  read(content: string): number | undefined {
    const [, sentAtMs] = this.#pattern.exec(content) ?? [];
    return sentAtMs === undefined ? undefined : Number(sentAtMs);
  }
}
