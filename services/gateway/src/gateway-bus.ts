import { type Bus, connectBus } from '@parley/shared/bus';
import { busOptionsOf, type Logger } from '@parley/shared/service';
import type { Config } from './config';

/** The gateway's connection to NATS. Nothing waits for it: requests are answered without a broker, too. */
export class GatewayBus {
  /** Never rejects. */
  readonly connected: Promise<Bus>;
  #resolve: (bus: Bus) => void = () => {};
  readonly #closing = new AbortController();
  #bus: Bus | undefined;

  constructor(
    private readonly config: Config,
    private readonly log: Logger,
  ) {
    this.connected = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  connect(): void {
    const { signal } = this.#closing;
    connectBus({ ...busOptionsOf(this.config), name: 'gateway', log: this.log, signal }).then(
      (bus) => {
        this.#bus = bus;
        if (signal.aborted) void bus.abandon();
        else this.#resolve(bus);
      },
      (err) => {
        if (!signal.aborted) this.log.error({ err }, 'rate limits are not shared: each gateway counts alone');
      },
    );
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#bus?.abandon();
  }
}
