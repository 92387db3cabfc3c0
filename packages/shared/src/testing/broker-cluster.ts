import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type NatsError, StorageType } from 'nats';
import { type EmbeddedServer, freePort, startNats } from '../embedded';
import { until } from './until';

const TRIAL = 'trial';
const TRIAL_TIMEOUT_MS = 1_000;
const NO_SUCH_STREAM = 10_059;

/** A cluster of NATS servers; each is identified by its index. */
export class BrokerCluster {
  readonly #directory = mkdtempSync(path.join(tmpdir(), 'parley-nats-'));
  readonly #servers: EmbeddedServer[] = [];
  readonly #ports: number[] = [];

  /** A cluster needs at least two. They know each other then: streams get as many copies as there are servers. */
  async start(count = 3): Promise<this> {
    const places = Array.from({ length: count }, (_, place) => place);
    this.#ports.push(...(await Promise.all(places.map(freePort))));
    this.#servers.push(...(await Promise.all(places.map((place) => this.#startServer(place)))));
    await this.#untilComplete();
    return this;
  }

  /** NOTE: servers answer before they have joined, and count as places for copies some time after that. */
  async #untilComplete(): Promise<void> {
    const connection = await connect({ servers: this.urlOf(0) });
    const { streams } = await connection.jetstreamManager({ checkAPI: false, timeout: TRIAL_TIMEOUT_MS });
    const trial = { name: TRIAL, subjects: [TRIAL], storage: StorageType.Memory, num_replicas: this.#servers.length };
    const isMade = () => streams.add(trial).then(Boolean, () => false);
    const isGone = () =>
      streams.delete(TRIAL).catch((error: NatsError) => error.api_error?.err_code === NO_SUCH_STREAM);
    await until(isMade);
    await until(isGone);
    await connection.close();
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
