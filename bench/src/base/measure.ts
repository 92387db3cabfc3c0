/** Percentiles of durations. */
export interface Quantiles {
  p50Ms: number;
  p99Ms: number;
}

/** NaN where there are no durations. */
export function quantiles(durationsMs: readonly number[]): Quantiles {
  const sorted = [...durationsMs].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Number of runs, and the duration of each. */
export interface Throughput extends Quantiles {
  perSecond: number;
  durationsMs: number[];
}

export interface ThroughputOptions {
  /** Concurrency: each worker starts its next run when its last has ended. */
  concurrency: number;
  warmUpMs: number;
  measureMs: number;
}

/** Repeats `work` for a while; runs that began during the warm-up are not counted. A rejection ends the measurement. */
export async function measureThroughput(
  work: (worker: number) => Promise<unknown>,
  options: ThroughputOptions,
): Promise<Throughput> {
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

/** Combines several rounds of the same length. */
export function joinRounds(rounds: readonly Throughput[]): Throughput {
  const durationsMs = rounds.flatMap((round) => round.durationsMs);
  const perSecond = rounds.reduce((sum, round) => sum + round.perSecond, 0) / rounds.length;
  return { perSecond, durationsMs, ...quantiles(durationsMs) };
}

const MIN_RUNS = 5;
const MAX_RUNS = 200;
const MEASURE_MS = 5_000;

export interface Repeated extends Quantiles {
  runs: number;
}

/**
 * Repeats `work`, one run at a time, for a few seconds; the first run warms up. Runs are numbered from 0; the time that `prepare`
 * takes before each does not count.
 */
export async function measureRepeated(
  work: (run: number) => Promise<unknown>,
  prepare: () => Promise<unknown> = async () => {},
): Promise<Repeated> {
  await prepare();
  await work(0);
  const durationsMs: number[] = [];
  const until = performance.now() + MEASURE_MS;
  while (durationsMs.length < MIN_RUNS || (performance.now() < until && durationsMs.length < MAX_RUNS)) {
    await prepare();
    const begun = performance.now();
    await work(durationsMs.length + 1);
    durationsMs.push(performance.now() - begun);
  }
  return { runs: durationsMs.length, ...quantiles(durationsMs) };
}
