import { type Quantiles, quantiles } from '../quantiles';

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
