import { type Quantiles, quantiles } from './quantiles';

export interface LoadResult extends Quantiles {
  perSecond: number;
  durationsMs: number[];
}

export interface LoadOptions {
  /** How many run at once, each starting its next when its last has ended. */
  concurrency: number;
  warmUpMs: number;
  measureMs: number;
}

/** Repeats `work` for a while; what began during the warm-up is not counted. A rejection ends the measurement. */
export async function load(work: (worker: number) => Promise<unknown>, options: LoadOptions): Promise<LoadResult> {
  const durationsMs: number[] = [];
  const measureFrom = performance.now() + options.warmUpMs;
  const until = measureFrom + options.measureMs;

  async function worker(index: number): Promise<void> {
    for (let begun = performance.now(); begun < until; begun = performance.now()) {
      await work(index);
      if (begun >= measureFrom) durationsMs.push(performance.now() - begun);
    }
  }

  await Promise.all(Array.from({ length: options.concurrency }, (_, index) => worker(index)));
  return { perSecond: durationsMs.length / (options.measureMs / 1000), durationsMs, ...quantiles(durationsMs) };
}

/** Several rounds of the same length as one. */
export function joinRounds(rounds: readonly LoadResult[]): LoadResult {
  const durationsMs = rounds.flatMap((round) => round.durationsMs);
  const perSecond = rounds.reduce((sum, round) => sum + round.perSecond, 0) / rounds.length;
  return { perSecond, durationsMs, ...quantiles(durationsMs) };
}
