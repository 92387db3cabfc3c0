import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EmbeddedServer, freePort, startNats } from '../embedded';

/** A cluster of NATS servers; each is identified by its index. */
export class BrokerCluster {
  readonly #directory = mkdtempSync(path.join(tmpdir(), 'parley-nats-'));
  readonly #servers: EmbeddedServer[] = [];
  readonly #ports: number[] = [];

  /** A cluster needs at least two. */
  async start(count = 3): Promise<this> {
    const places = Array.from({ length: count }, (_, place) => place);
    this.#ports.push(...(await Promise.all(places.map(freePort))));
    this.#servers.push(...(await Promise.all(places.map((place) => this.#startServer(place)))));
    return this;
  }

  /** Another server joins. */
  async grow(): Promise<void> {
    this.#ports.push(await freePort());
    this.#servers.push(await this.#startServer(this.#servers.length));
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

  #startServer(place: number): Promise<EmbeddedServer> {
    const routes = this.#ports.map((port) => `"nats://127.0.0.1:${port}"`).join();
    return startNats({
      directory: path.join(this.#directory, `${place}`),
      isPersistent: true,
      settings: [
        `server_name: "${place}"`,
        // Clients stay with the server that they were given.
        `cluster { name: "test", listen: "127.0.0.1:${this.#ports[place]}", routes: [${routes}], no_advertise: true }`,
      ],
    });
  }
}
