/** Pauses before retries after failures. */
export interface BackOff {
  /** After the first failure. */
  firstMs: number;
  /** The longest pause, apart from `spread`; absent: no limit. */
  lastMs?: number;
  /** The factor by which each pause is longer than the previous one; by default 2. */
  growth?: number;
  /**
   * The random share of a pause, so that simultaneous failures are not retried simultaneously: with 0.5 a pause is up to a
   * quarter shorter or longer. Absent: none.
   */
  spread?: number;
}

/** The pause after that many consecutive failures, 1 or more. `chance` is 0 ≤ chance < 1. */
export function pauseMs(backOff: BackOff, failures: number, chance = Math.random()): number {
  const { firstMs, lastMs = Number.POSITIVE_INFINITY, growth = 2, spread = 0 } = backOff;
  const plainMs = Math.min(lastMs, firstMs * growth ** (failures - 1));
  return Math.round(plainMs * (1 + spread * (chance - 0.5)));
}
