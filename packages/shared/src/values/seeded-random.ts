/** Pseudo-random numbers, equal for the same seed on every machine: for generated content. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 ≤ next() < 1: mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer: 0 ≤ below() < limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** A random selection without repetition, in random order; its cost depends on its size only. */
  sample<T>(list: readonly T[], count: number): T[] {
    const size = list.length;
    if (size === 0) return [];
    const start = this.below(size);
    let step = 1 + this.below(size);
    // A step without a common divisor with the size visits each item once.
    while (greatestCommonDivisor(step, size) !== 1) step += 1;
    return Array.from({ length: Math.min(count, size) }, (_, index) => list[(start + index * step) % size] as T);
  }
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
