import type * as grpc from '@grpc/grpc-js';

/** One use of a channel, which stays open until it is released. */
export interface ChannelUse {
  channel: grpc.Client;
  release(): void;
}

/** Channels of one connection, each replaced by a new one now and then. */
export interface Channels {
  readonly count: number;
  use(index: number): ChannelUse;
  close(): void;
}

interface ChannelsOptions {
  open: () => grpc.Client;
  count: number;
  /** A channel that is used at this age gets a successor. */
  ageMs: number;
}

interface Counted {
  channel: grpc.Client;
  uses: number;
  renewAtMs: number;
  isRetired: boolean;
}

/** A successor that is not connected by then is given up; short, since a channel that is closed meanwhile waits until then. */
const CONNECT_TIMEOUT_MS = 500;
const RENEW_AGAIN_MS = 5_000;

/**
 * A channel looks up its name only when it connects, so it must be replaced from time to time, or replicas that came later would get no
 * calls. NOTE: the client does this, not the server by an age of connections: after a server's GOAWAY, Node refuses to ping, grpc-js
 * takes the connection for dead at its next keepalive and fails all calls that are still active.
 */
export function renewingChannels({ open, count, ageMs }: ChannelsOptions): Channels {
  const unclosed = new Set<grpc.Client>();
  let isClosed = false;
  // Not all at the same time.
  const slots = Array.from({ length: count }, (_, index) => counted(newChannel(), (ageMs * (index + 1)) / count));

  function newChannel(): grpc.Client {
    const channel = open();
    unclosed.add(channel);
    return channel;
  }

  function closeChannel(channel: grpc.Client): void {
    unclosed.delete(channel);
    channel.close();
  }

  /** The predecessor serves until the successor is connected, and until its last call is answered. */
  function renew(index: number): void {
    const predecessor = slots[index] as Counted;
    predecessor.renewAtMs = Number.POSITIVE_INFINITY;
    const channel = newChannel();
    channel.waitForReady(Date.now() + CONNECT_TIMEOUT_MS, (error) => {
      if (isClosed) return;
      if (error) {
        closeChannel(channel);
        predecessor.renewAtMs = performance.now() + RENEW_AGAIN_MS;
        return;
      }
      slots[index] = counted(channel, ageMs);
      predecessor.isRetired = true;
      if (predecessor.uses === 0) closeChannel(predecessor.channel);
    });
  }

  function release(used: Counted): void {
    used.uses -= 1;
    if (used.isRetired && used.uses === 0 && !isClosed) closeChannel(used.channel);
  }

  return {
    count,
    use(index) {
      const used = slots[index] as Counted;
      used.uses += 1;
      if (performance.now() >= used.renewAtMs && !isClosed) renew(index);
      return { channel: used.channel, release: () => release(used) };
    },
    close() {
      isClosed = true;
      for (const channel of unclosed) channel.close();
    },
  };
}

function counted(channel: grpc.Client, ageMs: number): Counted {
  return { channel, uses: 0, renewAtMs: performance.now() + ageMs, isRetired: false };
}
