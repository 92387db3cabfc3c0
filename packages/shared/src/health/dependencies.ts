import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../observability';
import { declareGauge, onScrape } from '../observability';

/** `full`: it answers, but accepts no more data. `refused`: one side rejects the other's certificate. */
export type DependencyStatus = 'ok' | 'away' | 'full' | 'refused';

export interface Finding {
  status: DependencyStatus;
  /** Public: no addresses, versions or secrets. Empty while all is well. */
  reason: string;
}

/** A server or disk that a process needs. */
export interface Dependency {
  name: string;
  /** Checks it now. A check that throws or times out counts as unreachable. */
  look(): Promise<Finding>;
}

export interface DependencyState extends Finding {
  /** Since when this process has observed this state, UNIX milliseconds. */
  sinceMs: number;
}

/** The state of a process's dependencies. */
export interface Dependencies {
  /** The current states: checks all of them, at most once a second, and answers within two seconds. */
  states(): Promise<ReadonlyMap<string, DependencyState>>;
  stop(): void;
}

export const OK: Finding = { status: 'ok', reason: '' };
export const away = (reason: string): Finding => ({ status: 'away', reason });
export const full = (reason: string): Finding => ({ status: 'full', reason });

const FRESH_MS = 1_000;
/** Less than a gateway waits for a service's answer. */
const LOOK_MS = 700;

const up = declareGauge('parley_dependency_up', 'Whether what a service needs is there and works: 1 or 0', [
  'service',
  'dependency',
]);

/** Checks a process's dependencies on each request for its health; logs and measures changes. */
export function watchDependencies(
  service: string,
  list: readonly Dependency[],
  log: Logger,
  withinMs = LOOK_MS,
): Dependencies {
  const watched = new WatchedDependencies(list, log, withinMs);
  const stop = onScrape(async () =>
    [...(await watched.states())].map(([dependency, { status }]) => ({
      gauge: up,
      value: status === 'ok' ? 1 : 0,
      labels: { service, dependency },
    })),
  );
  return { states: () => watched.states(), stop };
}

class WatchedDependencies {
  readonly #known = new Map<string, DependencyState>();
  #looking: Promise<ReadonlyMap<string, DependencyState>> | undefined;
  #freshUntilMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly list: readonly Dependency[],
    private readonly log: Logger,
    private readonly withinMs: number,
  ) {}

  states(): Promise<ReadonlyMap<string, DependencyState>> {
    if (this.#looking === undefined || performance.now() > this.#freshUntilMs) {
      this.#freshUntilMs = Number.POSITIVE_INFINITY;
      this.#looking = this.#look().finally(() => {
        this.#freshUntilMs = performance.now() + FRESH_MS;
      });
    }
    return this.#looking;
  }

  async #look(): Promise<ReadonlyMap<string, DependencyState>> {
    await Promise.all(
      this.list.map(async (dependency) => this.#note(dependency.name, await lookWithin(dependency, this.withinMs))),
    );
    return this.#known;
  }

  #note(name: string, finding: Finding): void {
    const before = this.#known.get(name);
    if (before?.status === finding.status && before.reason === finding.reason) return;
    const isSame = before?.status === finding.status;
    this.#known.set(name, { ...finding, sinceMs: isSame ? before.sinceMs : Date.now() });
    if (finding.status !== 'ok')
      this.log.warn({ dependency: name, status: finding.status }, `${name}: ${finding.reason}`);
    else if (before) this.log.info({ dependency: name }, `${name} is well again`);
  }
}

async function lookWithin({ look }: Dependency, withinMs: number): Promise<Finding> {
  const settled = new AbortController();
  const late = sleep(withinMs, away('it does not answer in time'), { signal: settled.signal }).catch(() => OK);
  try {
    return await Promise.race([look().catch(() => away('it does not answer')), late]);
  } finally {
    settled.abort();
  }
}
