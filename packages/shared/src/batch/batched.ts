import { type TracePosition, together, tracePosition } from '../observability';
import { groupBy } from '../values';

export interface BatchOptions<Item> {
  maxItems: number;
  /** Batches that may run at once; while all run, items collect. */
  maxInFlight: number;
  /** Items of one batch with the same key are run once, and share the result. */
  keyOf?: (item: Item) => string;
}

/**
 * Turns a function over many items into one over a single item, whose concurrent calls run together. There is no timer: a batch starts at
 * once while fewer than `maxInFlight` run, so a single caller never waits. `run` answers one result per item, in order; an Error among the
 * results rejects its item alone.
 */
export function batched<Item, Result>(
  run: (items: Item[]) => Promise<(Result | Error)[]>,
  { maxItems, maxInFlight, keyOf }: BatchOptions<Item>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let inFlight = 0;
  let isScheduled = false;

  function schedule() {
    if (isScheduled || waiting.length === 0 || inFlight >= maxInFlight) return;
    isScheduled = true;
    // Include items that arrive in the same turn of the event loop.
    setImmediate(() => {
      isScheduled = false;
      void flush();
    });
  }

  async function flush() {
    const batch = waiting.splice(0, maxItems);
    inFlight += 1;
    schedule();
    try {
      const groups = keyOf ? [...groupBy(batch, ({ item }) => keyOf(item)).values()] : batch.map((one) => [one]);
      const items = groups.map(([first]) => (first as Waiting<Item, Result>).item);
      const positions = batch.map((one) => one.tracePosition);
      settle(groups, await together(positions, () => run(items)));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      inFlight -= 1;
      schedule();
    }
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, tracePosition: tracePosition(), resolve, reject });
      schedule();
    });
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
