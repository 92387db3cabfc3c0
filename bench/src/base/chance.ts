import { SeededRandom } from '@parley/shared/values';

/** Repeatable decisions: the same seed makes the same ones. */
export class Chance extends SeededRandom {
  /** The pause before the next of independent events, with this many per minute on the average. */
  pauseMs(perMinute: number): number {
    return (-Math.log(1 - this.next()) * 60_000) / perMinute;
  }

  shuffled<T>(items: readonly T[]): T[] {
    const rest = [...items];
    return items.map(() => rest.splice(this.below(rest.length), 1)[0] as T);
  }
}
