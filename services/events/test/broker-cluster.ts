import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EmbeddedServer, freePort, startNats } from '@parley/shared/embedded';

/** Three servers that are one broker; each is known by its place. */
export class BrokerCluster {
  readonly #directory = mkdtempSync(path.join(tmpdir(), 'parley-nats-'));
  #servers: EmbeddedServer[] = [];

  async start(): Promise<this> {
    const ports = await Promise.all([freePort(), freePort(), freePort()]);
    const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join();
    const starting = ports.map((port, place) =>
      startNats({
        directory: path.join(this.#directory, `${place}`),
        isPersistent: true,
        settings: [
          `server_name: "${place}"`,
          // Clients stay with the server that they were given.
          `cluster { name: "test", listen: "127.0.0.1:${port}", routes: [${routes}], no_advertise: true }`,
        ],
      }),
    );
    this.#servers = await Promise.all(starting);
    return this;
  }

  urlOf(place: number): string {
    return (this.#servers[place] as EmbeddedServer).url;
  }

  async kill(place: number): Promise<void> {
    const { pid, ended } = this.#servers[place] as EmbeddedServer;
    process.kill(pid, 'SIGKILL');
    await ended;
  }

  async end(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()));
    rmSync(this.#directory, { recursive: true });
  }
}
