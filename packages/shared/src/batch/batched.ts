import { type TracePosition, together, tracePosition } from '../observability';
import { groupBy } from '../values';

export interface BatchOptions<Item> {
  maxItems: number;
  /** Number of concurrent batches; while all run, items collect. */
  maxInFlight: number;
  /** A batch starts this long after the one before it, or later. Absent: 0. */
  everyMs?: number;
  /** Items of one batch with the same key are run once, and share the result. */
  keyOf?: (item: Item) => string;
}

/**
 * Turns a function over many items into one over a single item, whose concurrent calls are batched. A batch starts at once while
 * fewer than `maxInFlight` run, so a lone call never waits; with `everyMs` a call soon after another one waits for the rest of that
 * time. `run` returns one result per item, in order; an Error among the results rejects its item only.
 */
export function batched<Item, Result>(
  run: (items: Item[]) => Promise<(Result | Error)[]>,
  options: BatchOptions<Item>,
): (item: Item) => Promise<Result> {
  const batches = new Batches(run, options);
  return (item) => batches.add(item);
}

class Batches<Item, Result> {
  readonly #waiting: Waiting<Item, Result>[] = [];
  #inFlight = 0;
  #isScheduled = false;
  #lastAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly run: (items: Item[]) => Promise<(Result | Error)[]>,
    private readonly options: BatchOptions<Item>,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ item, tracePosition: tracePosition(), resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0 || this.#inFlight >= this.options.maxInFlight) return;
    this.#isScheduled = true;
    const flush = () => {
      this.#isScheduled = false;
      this.#lastAtMs = performance.now();
      void this.#flush();
    };
    const waitMs = this.#lastAtMs + (this.options.everyMs ?? 0) - performance.now();
    if (waitMs > 0) setTimeout(flush, waitMs);
    // Include items that arrive in the same turn of the event loop.
    else setImmediate(flush);
  }

  async #flush(): Promise<void> {
    const { maxItems, keyOf } = this.options;
    const batch = this.#waiting.splice(0, maxItems);
    this.#inFlight += 1;
    this.#schedule();
    try {
      const groups = keyOf ? [...groupBy(batch, ({ item }) => keyOf(item)).values()] : batch.map((one) => [one]);
      const items = groups.map(([first]) => (first as Waiting<Item, Result>).item);
      const positions = batch.map((one) => one.tracePosition);
      settle(groups, await together(positions, () => this.run(items)));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#inFlight -= 1;
      this.#schedule();
    }
  }
}

interface Waiting<Item, Result> {
  item: Item;
  tracePosition: TracePosition | undefined;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

function settle<Item, Result>(groups: Waiting<Item, Result>[][], results: (Result | Error)[]): void {
  groups.forEach((group, index) => {
    const result = results[index] as Result | Error;
    for (const { resolve, reject } of group) {
      if (result instanceof Error) reject(result);
      else resolve(result);
    }
  });
}
