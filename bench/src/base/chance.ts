import { SeededRandom } from '@parley/shared/values';

/** Chance that can be repeated: the same seed makes the same decisions. */
export class Chance extends SeededRandom {
  /** Until the next of events that come independently of one another, so many per minute on the average. */
  pauseMs(perMinute: number): number {
    return (-Math.log(1 - this.next()) * 60_000) / perMinute;
  }

  shuffled<T>(items: readonly T[]): T[] {
    const rest = [...items];
    return items.map(() => rest.splice(this.below(rest.length), 1)[0] as T);
  }
}
