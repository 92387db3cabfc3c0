import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startNats } from '@parley/shared/embedded';

/** A separate broker, for tests that stop it or change its data. */
export class Broker {
  readonly #directory = mkdtempSync(path.join(tmpdir(), 'parley-nats-'));
  #server: Awaited<ReturnType<typeof startNats>> | undefined;
  #port: number | undefined;

  get url(): string {
    return `nats://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<this> {
    const url = await this.startElsewhere(this.#port);
    this.#port = Number(new URL(url).port);
    return this;
  }

  /** Runs it at an address that its former clients do not know. */
  async startElsewhere(port?: number): Promise<string> {
    this.#server = await startNats({ directory: this.#directory, isPersistent: true, port });
    return this.#server.url;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  /** A copy of its data; it must not run. */
  backUp(): string {
    const copy = `${this.#directory}-copy`;
    cpSync(this.#directory, copy, { recursive: true });
    return copy;
  }

  restore(copy: string): void {
    rmSync(this.#directory, { recursive: true });
    cpSync(copy, this.#directory, { recursive: true });
    rmSync(copy, { recursive: true });
  }

  async end(): Promise<void> {
    await this.stop();
    rmSync(this.#directory, { recursive: true });
  }
}
