import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EmbeddedServer, startNats } from '../src/embedded';

/** A separate broker, for tests that stop it or change its data. */
export class Broker {
  readonly #directory = mkdtempSync(path.join(tmpdir(), 'parley-nats-'));
  #server: EmbeddedServer | undefined;
  #port: number | undefined;

  get url(): string {
    return `nats://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<this> {
    this.#server = await startNats({ directory: this.#directory, isPersistent: true, port: this.#port });
    this.#port = Number(new URL(this.#server.url).port);
    return this;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  /** Runs `meanwhile`, whose data the broker loses afterwards, as after a crash of its machine. */
  async forget(meanwhile: () => Promise<void>): Promise<void> {
    const copy = `${this.#directory}-copy`;
    await this.stop();
    cpSync(this.#directory, copy, { recursive: true });
    await this.start();
    await meanwhile();
    await this.stop();
    rmSync(this.#directory, { recursive: true });
    cpSync(copy, this.#directory, { recursive: true });
    rmSync(copy, { recursive: true });
    await this.start();
  }

  async end(): Promise<void> {
    await this.stop();
    rmSync(this.#directory, { recursive: true });
  }
}
