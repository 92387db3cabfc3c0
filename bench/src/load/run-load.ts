import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Chance } from '../base/chance';
import { DeliveryMark, Figures } from './figures';
import { type LoadAccount, LoadApi } from './load-api';
import { SimulatedUser } from './simulated-user';
import { SteadyUser } from './steady-user';
import { judge, judgeSteady, type Verdict } from './verdict';

/** New users per second, and concurrent registrations. */
const NEWCOMERS_PER_SECOND = 50;
const REGISTERING_AT_ONCE = 16;
/** Pause after the last registration, until it has no effect on the figures. */
const CALM_MS = 2_000;
const PROGRESS_MS = 5_000;

export interface LoadRun {
  base: URL;
  host: string;
  accounts: readonly LoadAccount[];
  minutes: number;
  seed: number;
  /** A few users without pauses, instead of many who behave like people; then no request may fail. */
  isSteady: boolean;
  /** Called with the progress every few seconds. */
  report(line: string): void;
  /** Called when the measurement begins, and when it ends. */
  onBegin?(): void;
  onEnd?(): void;
}

export interface LoadReport {
  users: number;
  seconds: number;
  figures: Figures;
  verdict: Verdict;
  /** The tool's own lateness, at the 99th percentile, which limits its precision. */
  ownDelayMs: number;
}

type User = Pick<SimulatedUser, 'register' | 'start' | 'stop'>;

/** Registers a user for each account; once all are registered, measures their requests. */
export async function runLoad(run: LoadRun): Promise<LoadReport> {
  const { base, host, accounts, minutes, seed, isSteady, report } = run;
  const figures = new Figures();
  const api = new LoadApi({ base, host, figures });
  const mark = new DeliveryMark();
  const users = accounts.map((account, index): User => {
    if (isSteady) return new SteadyUser({ caller: api.callerFor(account), figures, mark });
    const chance = new Chance(seed * 1_000_003 + index);
    return new SimulatedUser({ account, people: accounts, caller: api.callerFor(account), chance, figures, mark });
  });
  try {
    await registerAll(users, report);
    await sleep(CALM_MS);
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    figures.measure();
    run.onBegin?.();
    await watch(figures, minutes * 60_000, report);
    run.onEnd?.();
    figures.end();
    delay.disable();
    const ownDelayMs = delay.percentile(99) / 1e6;
    return {
      users: users.length,
      seconds: minutes * 60,
      figures,
      verdict: isSteady ? judgeSteady(figures) : judge(figures),
      ownDelayMs,
    };
  } finally {
    figures.end();
    await Promise.all(users.map((user) => user.stop()));
    await api.close();
  }
}

/** A failed registration is counted as an error; its user takes no part. */
async function registerAll(users: readonly User[], report: (line: string) => void): Promise<void> {
  const waiting = [...users];
  const begunAtMs = performance.now();
  let begun = 0;
  async function registerNext(): Promise<void> {
    for (let user = waiting.shift(); user; user = waiting.shift()) {
      const dueAtMs = begunAtMs + (begun++ * 1_000) / NEWCOMERS_PER_SECOND;
      await sleep(Math.max(0, dueAtMs - performance.now()));
      if (await user.register()) user.start();
    }
  }
  const progress = setInterval(() => report(`${users.length - waiting.length} of ${users.length} users`), PROGRESS_MS);
  await Promise.all(Array.from({ length: REGISTERING_AT_ONCE }, registerNext));
  clearInterval(progress);
}

async function watch(figures: Figures, durationMs: number, report: (line: string) => void): Promise<void> {
  const beginMs = performance.now();
  const untilMs = beginMs + durationMs;
  while (performance.now() < untilMs) {
    const requestsBefore = figures.requests;
    const deliveriesBefore = figures.of('delivery').count;
    const fromMs = performance.now();
    await sleep(Math.min(PROGRESS_MS, untilMs - fromMs));
    const seconds = (performance.now() - fromMs) / 1_000;
    const perSecond = (count: number) => `${Math.round(count / seconds)}/s`;
    report(
      `${Math.round((performance.now() - beginMs) / 1_000)} s: requests ${perSecond(figures.requests - requestsBefore)}, ` +
        `deliveries ${perSecond(figures.of('delivery').count - deliveriesBefore)}, average ${figures.awaited.averageMs.toFixed(1)} ms, ` +
        `p99 ${figures.awaited.p99Ms.toFixed(0)} ms, errors ${figures.errorCount}`,
    );
  }
}
