import * as grpc from '@grpc/grpc-js';
import { ServiceUnavailableError } from '../errors';

/** One use of a channel, which stays open until it is released. */
export interface ChannelUse {
  channel: grpc.Client;
  release(): void;
}

/** The channels of one connection, each replaced periodically. */
export interface Channels {
  readonly count: number;
  /** Throws ServiceUnavailableError if the service is unreachable and may no longer be waited for. */
  use(index: number): ChannelUse;
  /** Calls that wait for an unreachable service fail, now and from now on. */
  stopWaiting(): void;
  close(): void;
}

interface ChannelsOptions {
  open: () => grpc.Client;
  count: number;
  /** A channel in use gets a successor at this age. */
  ageMs: number;
}

interface Counted {
  channel: grpc.Client;
  uses: number;
  renewAtMs: number;
  isRetired: boolean;
}

/** A successor that is not connected by then is abandoned; short, because closing a channel waits for it, too. */
const CONNECT_TIMEOUT_MS = 500;
const RENEW_AGAIN_MS = 5_000;

/**
 * A channel resolves its name only when it connects, so it must be replaced periodically; otherwise later replicas would get no
 * calls. NOTE: the client does this, not the server by a maximum age of connections: after a server's GOAWAY, Node refuses to
 * ping, grpc-js considers the connection dead at its next keepalive and fails all active calls.
 */
export function renewingChannels(options: ChannelsOptions): Channels {
  return new RenewingChannels(options);
}

class RenewingChannels implements Channels {
  readonly count: number;
  readonly #unclosed = new Set<grpc.Client>();
  readonly #slots: Counted[];
  #isWaiting = true;
  #isClosed = false;

  constructor(private readonly options: ChannelsOptions) {
    const { count, ageMs } = options;
    this.count = count;
    // At random, so that they are not replaced at the same time.
    this.#slots = Array.from({ length: count }, (_, index) => counted(this.#open(), (ageMs * (index + 1)) / count));
  }

  use(index: number): ChannelUse {
    const used = this.#isWaiting ? this.#slots[index] : this.#slots.find(({ channel }) => isConnected(channel));
    if (used === undefined) throw new ServiceUnavailableError();
    used.uses += 1;
    if (performance.now() >= used.renewAtMs && !this.#isClosed) this.#renew(index);
    return { channel: used.channel, release: () => this.#release(used) };
  }

  stopWaiting(): void {
    this.#isWaiting = false;
    for (const channel of this.#unclosed) if (!isConnected(channel)) this.#close(channel);
  }

  close(): void {
    this.#isClosed = true;
    for (const channel of this.#unclosed) channel.close();
  }

  #release(used: Counted): void {
    used.uses -= 1;
    if (used.isRetired && used.uses === 0 && !this.#isClosed) this.#close(used.channel);
  }

  /** The predecessor serves until the successor is connected, and until its last call is answered. */
  #renew(index: number): void {
    const predecessor = this.#slots[index] as Counted;
    predecessor.renewAtMs = Number.POSITIVE_INFINITY;
    const channel = this.#open();
    channel.waitForReady(Date.now() + CONNECT_TIMEOUT_MS, (error) => {
      if (this.#isClosed) return;
      if (error) {
        this.#close(channel);
        predecessor.renewAtMs = performance.now() + RENEW_AGAIN_MS;
        return;
      }
      this.#slots[index] = counted(channel, this.options.ageMs);
      predecessor.isRetired = true;
      if (predecessor.uses === 0) this.#close(predecessor.channel);
    });
  }

  #open(): grpc.Client {
    const channel = this.options.open();
    this.#unclosed.add(channel);
    return channel;
  }

  #close(channel: grpc.Client): void {
    this.#unclosed.delete(channel);
    channel.close();
  }
}

function isConnected(channel: grpc.Client): boolean {
  return channel.getChannel().getConnectivityState(false) === grpc.connectivityState.READY;
}

function counted(channel: grpc.Client, ageMs: number): Counted {
  return { channel, uses: 0, renewAtMs: performance.now() + ageMs, isRetired: false };
}
