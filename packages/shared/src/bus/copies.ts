import { type JetStreamManager, type NatsConnection, NatsError, type StreamInfo } from 'nats';
import type { Logger } from '../observability';

/** Copies of each stream in a cluster of three servers or more, unless NATS_REPLICAS is set. */
const USUAL_COPIES = 3;
const CHECK_MS = 5_000;

/**
 * The number of copies of each of our streams: NATS_REPLICAS; by default three, if there are as many
 * servers. A stream is created with as many copies as possible, and gets more once the broker has grown.

 */
export class Copies {
  #checkedAtMs = Number.NEGATIVE_INFINITY;
  /** To log each shortage once. */
  #lack = '';

  constructor(
    private readonly connection: NatsConnection,
    private readonly jsm: JetStreamManager,
    private readonly options: { wanted?: number | undefined; log: Logger },
  ) {}

  /** Creates a stream with the wanted number of copies, or with `least` or one if the broker has too few servers. */
  async make<Result>(make: (copies: number) => Promise<Result>, least = 1): Promise<Result> {
    const most = this.#isCluster ? Math.max(least, this.options.wanted ?? USUAL_COPIES) : 1;
    for (const copies of new Set([most, Math.min(least, most)]))
      try {
        return await make(copies);
      } catch (error) {
        if (!isShortOfServers(error)) throw error;
      }
    return make(1);
  }

  /**
   * Adds missing copies to streams. Does nothing within seconds of the last time, and never rejects. Called
   * periodically by the replica that publishes, which does not wait for it.
   */
  async raise(streams: readonly string[]): Promise<void> {
    if (!this.#isCluster || performance.now() < this.#checkedAtMs + CHECK_MS) return;
    this.#checkedAtMs = Number.POSITIVE_INFINITY;
    for (const stream of streams) await this.#raise(stream);
    this.#checkedAtMs = performance.now();
  }

  async #raise(stream: string): Promise<void> {
    const { wanted = USUAL_COPIES, log } = this.options;
    try {
      const { config } = await this.jsm.streams.info(stream);
      if (config.num_replicas >= wanted) return;
      // NOTE: only this field, because another process may change other fields concurrently.
      await this.jsm.streams.update(stream, { num_replicas: wanted });
      log.info({ stream, copies: wanted }, 'the broker keeps more copies of a stream now');
    } catch (error) {
      // A broker of two servers is complete, unless more copies are configured.
      if (isMissing(error) || (isShortOfServers(error) && this.options.wanted === undefined)) return;
      if (this.connection.isClosed()) return;
      const lack = `${stream}: ${(error as Error).message}`;
      if (lack !== this.#lack) log.warn({ stream, copies: wanted, reason: lack }, 'a stream has too few copies');
      this.#lack = lack;
    }
  }

  /** The number of up-to-date copies on connected servers, and the wanted number. */
  countOf({ config, cluster }: StreamInfo): { copies: number; wanted: number } {
    const others = (cluster?.replicas ?? []).filter(({ name }) => name !== cluster?.leader);
    const inUse = others.filter(({ current, offline }) => current && !offline).length;
    const own = this.#isCluster && !cluster?.leader ? 0 : 1;
    const kept = this.#isCluster ? config.num_replicas : 1;
    return {
      copies: Math.min(own + inUse, kept),
      wanted: Math.max(this.options.wanted ?? (this.#lack ? USUAL_COPIES : 1), kept),
    };
  }

  /** NOTE: a single server accepts a request for more copies, but does not create them. */
  get #isCluster(): boolean {
    return this.connection.info?.cluster !== undefined;
  }
}

const NO_SUITABLE_PEERS = 10_005;
const INSUFFICIENT_RESOURCES = 10_023;
const NOT_CLUSTERED = 10_074;
const NO_SUCH_STREAM = 10_059;

function isShortOfServers(error: unknown): boolean {
  const code = codeOf(error);
  return code === NO_SUITABLE_PEERS || code === INSUFFICIENT_RESOURCES || code === NOT_CLUSTERED;
}

const isMissing = (error: unknown) => codeOf(error) === NO_SUCH_STREAM;

function codeOf(error: unknown): number | undefined {
  return error instanceof NatsError ? error.api_error?.err_code : undefined;
}
