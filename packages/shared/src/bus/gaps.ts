import type { Sql } from '../db';
import { loadTransactionHorizon } from './outbox.sql';

const MIN_AGE_MS = 10_000;

interface Gap {
  seenAtMs: number;
  /** Every transaction that can fill the gap had begun before this one. */
  xmax: number | undefined;
}

/**
 * Ids of the outbox that were assigned but are not visible: their transactions are running, or were rolled back. A gap is
 * removed when all transactions have ended that were running some time after it was seen.
 */
export class Gaps {
  readonly #gaps = new Map<number, Gap>();
  // NOTE: times are from a monotonic clock.
  #checkedAtMs = Number.NEGATIVE_INFINITY;

  constructor(ids: readonly number[]) {
    for (const id of ids) this.#add(id);
  }

  get ids(): number[] {
    return [...this.#gaps.keys()];
  }

  /** Adds visible rows, in order; up to `publishedUpTo` all were seen before, except the gaps. */
  notice(ids: readonly number[], publishedUpTo: number): void {
    let expected = publishedUpTo + 1;
    for (const id of ids) {
      if (id <= publishedUpTo) {
        this.#gaps.delete(id);
        continue;
      }
      for (; expected < id; expected += 1) this.#add(expected);
      expected = id + 1;
    }
  }

  /** Removes gaps that can no longer be filled. Queries the database only now and then. */
  async forgetDead(sql: Sql): Promise<boolean> {
    const nowMs = performance.now();
    const old = [...this.#gaps].filter(([, { seenAtMs }]) => seenAtMs < nowMs - MIN_AGE_MS);
    if (old.length === 0 || this.#checkedAtMs > nowMs - MIN_AGE_MS) return false;
    this.#checkedAtMs = nowMs;
    const { xmin, xmax } = await loadTransactionHorizon(sql);
    let hasForgotten = false;
    for (const [id, gap] of old) {
      if (gap.xmax === undefined) gap.xmax = xmax;
      else if (xmin >= gap.xmax) hasForgotten = this.#gaps.delete(id) || hasForgotten;
    }
    return hasForgotten;
  }

  #add(id: number): void {
    this.#gaps.set(id, { seenAtMs: performance.now(), xmax: undefined });
  }
}
