import path from 'node:path';
import { setImmediate as untilNextTurn } from 'node:timers/promises';
import { CHECKOUT, mainOf } from '../start/main-of';
import { type ServiceProcess, startServiceProcess } from '../start/service-process';
import type { Replica, ServiceName } from './replica';

const PRELOAD = path.join(CHECKOUT, 'packages/dev-env/dist/network/joint-preload.js');

/**
 * A separate process that has several replicas of a service, for tests that kill all of them at once: it loads modules once, which
 * is most of what starting a replica costs. Those that are started in one turn of the event loop share a process.
 */
export class JointProcess {
  #wished: NodeJS.ProcessEnv[] = [];
  #starting: Promise<void> | undefined;
  #running: ServiceProcess | undefined;

  constructor(
    private readonly name: ServiceName,
    private readonly onLine: (line: string) => void,
  ) {}

  /** Whoever ends one ends all. */
  replica(environment: NodeJS.ProcessEnv): Replica {
    return {
      service: undefined,
      metrics: undefined,
      start: () => this.#start(environment),
      stop: async () => this.#end((running) => running.stop()),
      signal: (signal) => this.#running && process.kill(this.#running.pid, signal),
      kill: async () => this.#end(({ pid }) => process.kill(pid, 'SIGKILL')),
    };
  }

  #start(environment: NodeJS.ProcessEnv): Promise<void> {
    this.#wished.push(environment);
    this.#starting ??= this.#startWished();
    return this.#starting;
  }

  async #startWished(): Promise<void> {
    await untilNextTurn();
    const [first, ...others] = this.#wished.splice(0);
    this.#starting = undefined;
    if (this.#running) throw new Error(`replicas of ${this.name} run: they end before others start`);
    const environment = { ...process.env, ...first, OTHER_REPLICAS: JSON.stringify(others) };
    const { name, onLine } = this;
    this.#running = await startServiceProcess({ main: mainOf(name), environment, onLine, preload: [PRELOAD] });
  }

  async #end(end: (running: ServiceProcess) => unknown): Promise<void> {
    const running = this.#running;
    if (!running) return;
    await end(running);
    await running.ended;
    this.#running = undefined;
  }
}
