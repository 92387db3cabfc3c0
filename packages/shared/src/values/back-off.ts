/** How long to wait before something that failed is tried again. */
export interface BackOff {
  /** After the first failure. */
  firstMs: number;
  /** The longest pause, `spread` aside; absent: no bound. */
  lastMs?: number;
  /** How many times as long each pause is as the one before; 2 unless given. */
  growth?: number;
  /**
   * Share of a pause that is left to chance, so that what failed together is not tried again together: with 0.5 a pause is a quarter
   * shorter or longer. Absent: none.
   */
  spread?: number;
}

/** The pause after so many failures in a row, 1 or more. `chance` is 0 ≤ chance < 1. */
export function pauseMs(backOff: BackOff, failures: number, chance = Math.random()): number {
  const { firstMs, lastMs = Number.POSITIVE_INFINITY, growth = 2, spread = 0 } = backOff;
  const plainMs = Math.min(lastMs, firstMs * growth ** (failures - 1));
  return Math.round(plainMs * (1 + spread * (chance - 0.5)));
}
