import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Chance } from '../base/chance';
import { DeliveryMark, Figures } from './figures';
import { type LoadAccount, LoadApi } from './load-api';
import { SimulatedUser } from './simulated-user';
import { SteadyUser } from './steady-user';
import { judge, judgeSteady, type Verdict } from './verdict';

/** At most so many newcomers come in a second, and so many are let in at once. */
const NEWCOMERS_PER_SECOND = 50;
const REGISTERING_AT_ONCE = 16;
/** By then the effects of registrations are over. */
const CALM_MS = 2_000;
const PROGRESS_MS = 5_000;

export interface LoadRun {
  base: URL;
  host: string;
  accounts: readonly LoadAccount[];
  minutes: number;
  seed: number;
  /** Four users who never pause, and no request may fail, instead of many who do as people do. */
  isSteady: boolean;
  /** Called with the progress every few seconds. */
  report(line: string): void;
}

export interface LoadReport {
  users: number;
  seconds: number;
  figures: Figures;
  verdict: Verdict;
  /** The delay of this tool itself, at the 99th percentile: the bound of its precision. */
  ownDelayMs: number;
}

/** One who takes part. */
type User = Pick<SimulatedUser, 'register' | 'start' | 'stop'>;

/** Lets all accounts come in, one after the other, then do what users do; measures once all are there. */
export async function runLoad({ base, host, accounts, minutes, seed, isSteady, report }: LoadRun): Promise<LoadReport> {
  const figures = new Figures();
  const api = new LoadApi({ base, host, figures });
  const mark = new DeliveryMark();
  const users = accounts.map((account, index): User => {
    if (isSteady) return new SteadyUser({ caller: api.callerFor(account), figures, mark });
    const chance = new Chance(seed * 1_000_003 + index);
    return new SimulatedUser({ account, people: accounts, caller: api.callerFor(account), chance, figures, mark });
  });
  try {
    await comeIn(users, report);
    await sleep(CALM_MS);
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    figures.measure();
    await watch(figures, minutes * 60_000, report);
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

/** A user who cannot register does not take part, and counts as an error. */
async function comeIn(users: readonly User[], report: (line: string) => void): Promise<void> {
  const waiting = [...users];
  const begunAtMs = performance.now();
  let begun = 0;
  async function letIn(): Promise<void> {
    for (let user = waiting.shift(); user; user = waiting.shift()) {
      const dueAtMs = begunAtMs + (begun++ * 1_000) / NEWCOMERS_PER_SECOND;
      await sleep(Math.max(0, dueAtMs - performance.now()));
      if (await user.register()) user.start();
    }
  }
  const progress = setInterval(() => report(`${users.length - waiting.length} of ${users.length} users`), PROGRESS_MS);
  await Promise.all(Array.from({ length: REGISTERING_AT_ONCE }, letIn));
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
