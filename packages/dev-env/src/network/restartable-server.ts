import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedServer, ServerOptions } from '@parley/shared/embedded';
import { listProcesses } from '../start/list-processes';

/** PostgreSQL or NATS for tests that stop, pause or kill it; it keeps its port and data when it is restarted. */
export class RestartableServer {
  #running: EmbeddedServer | undefined;
  #url = '';

  constructor(
    private readonly startServer: (options: ServerOptions) => Promise<EmbeddedServer>,
    private readonly directory: string,
  ) {}

  get url(): string {
    return this.#url;
  }

  async start(): Promise<void> {
    const port = this.#url ? Number(new URL(this.#url).port) : undefined;
    this.#running = await this.startServer({ directory: this.directory, isPersistent: true, port });
    this.#url = this.#running.url;
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
    this.#running = undefined;
  }

  /** Kills all its processes, as when its machine fails. */
  async kill(): Promise<void> {
    // NOTE: children of a dead process have another parent. While theirs stands still they are found, and no more are made.
    const pids = this.signal('SIGSTOP');
    sendTo(pids, 'SIGKILL');
    await this.#running?.ended;
    this.#running = undefined;
    while (listProcesses().some(({ pid }) => pids.includes(pid))) await sleep(10);
  }

  /** Signals all its processes, the first one first, so that it starts no more. */
  signal(signal: NodeJS.Signals): number[] {
    if (!this.#running) return [];
    const { pid } = this.#running;
    process.kill(pid, signal);
    const children = listProcesses().filter(({ parentPid }) => parentPid === pid);
    const pids = children.map((child) => child.pid);
    sendTo(pids, signal);
    return [pid, ...pids];
  }
}

function sendTo(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended by itself meanwhile.
    }
  }
}
