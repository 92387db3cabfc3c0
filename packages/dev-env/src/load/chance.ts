/** Chance that can be repeated: the same seed makes the same decisions. */
export interface Chance {
  /** At least 0, less than 1. */
  next(): number;
  integerBelow(limit: number): number;
  pick<T>(items: readonly T[]): T;
  /** Until the next of events that come independently of one another, so many per minute on the average. */
  pauseMs(perMinute: number): number;
  shuffled<T>(items: readonly T[]): T[];
}

/** The generator is Mulberry32, by Tommy Ettinger. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const integerBelow = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    integerBelow,
    pick: (items) => items[integerBelow(items.length)] as never,
    pauseMs: (perMinute) => (-Math.log(1 - next()) * 60_000) / perMinute,
    shuffled(items) {
      const rest = [...items];
      return items.map(() => rest.splice(integerBelow(rest.length), 1)[0] as never);
    },
  };
}
