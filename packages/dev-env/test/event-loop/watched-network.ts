import path from 'node:path';
import { TestNetwork } from '../../src';
import { SERVICES } from '../../src/network/plan';
import type { ServiceName } from '../../src/network/replica';

/** The longest turn of each service's event loop, in milliseconds of CPU time. */
export type Held = Record<ServiceName, number>;

export interface WatchedNetwork extends TestNetwork {
  /** The cost of `work` with all its consequences. */
  heldBy(work: () => Promise<unknown>): Promise<Held>;
  /** The service loads again what it loads with the first request that needs it. */
  startAfresh(name: ServiceName): Promise<void>;
}

const ANSWER_WITHIN_MS = 60_000;

/** A network of compiled services, each a process with a probe in it. */
export async function startWatchedNetwork(): Promise<WatchedNetwork> {
  const waiting = new Map<ServiceName, (longestMs: number) => void>();
  const network = await TestNetwork.create({
    processes: SERVICES,
    settings: {
      NODE_OPTIONS: `--require ${path.join(__dirname, 'turn-probe.cjs')}`,
      // It checks answers in tests only, and costs as much as what it checks.
      VALIDATE_RESULTS: 'false',
      // So does the check of every row.
      NODE_ENV: 'production',
    },
    onLine({ name }, line) {
      const [, longestMs] = /^\{"longestMs":([\d.]+)\}$/.exec(line) ?? [];
      if (longestMs !== undefined) waiting.get(name)?.(Number(longestMs));
    },
  });
  const ask = (name: ServiceName) =>
    new Promise<number>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`the probe in ${name} does not answer`)), ANSWER_WITHIN_MS);
      waiting.set(name, (longestMs) => {
        clearTimeout(late);
        resolve(longestMs);
      });
      network.replicas[name][0]?.signal('SIGUSR2');
    });
  const askAll = async () =>
    Object.fromEntries(await Promise.all(SERVICES.map(async (name) => [name, await ask(name)]))) as Held;
  return {
    ...network,
    async heldBy(work) {
      await network.settle();
      await askAll();
      await work();
      await network.settle();
      return askAll();
    },
    async startAfresh(name) {
      const [replica] = network.replicas[name];
      await replica?.stop();
      await replica?.start();
      await network.settle();
    },
  };
}
