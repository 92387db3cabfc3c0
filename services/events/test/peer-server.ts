import { type Implementation, type RpcServer, serve } from '@parley/shared/rpc';
import { silentLogger } from '@parley/shared/service';
import { answerOnly } from '@parley/shared/testing';

/** A substitute for a service that this one calls. It may be stopped, and has the same address when it is started again. */
export abstract class PeerServer<S extends 'realm' | 'messages'> {
  #server: RpcServer | undefined;
  #address = '127.0.0.1:0';

  protected constructor(private readonly service: S) {}

  get address(): string {
    return this.#address;
  }

  async start(): Promise<void> {
    const { service } = this;
    const implementation = answerOnly<S>(this.answers());
    this.#server = await serve({ service, implementation, address: this.#address, log: silentLogger });
    this.#address = this.#server.address;
  }

  async stop(): Promise<void> {
    await this.#server?.stop(0);
  }

  /** Answers computed from its present data. */
  protected abstract answers(): Partial<Implementation<S>>;
}
