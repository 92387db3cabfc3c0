import { ConsumerEvents, type ConsumerMessages } from 'nats';
import type { Logger } from '../observability';
import type { Bus } from './bus';

/** A shorter interruption was a replica, or a server of the broker, being replaced. */
const LASTING_MS = 10_000;

/**
 * Logs why something that goes on for ever was interrupted: in passing where it soon goes on, as when others are rolled; as a warning
 * where it has not gone on for a while.
 */
export class Interruptions {
  #sinceMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly log: Logger,
    private readonly what: string,
    private readonly fields: object = {},
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** It was interrupted; `beganAtMs` is when it last began, by performance.now(). */
  note(error: unknown, beganAtMs: number): void {
    const nowMs = this.nowMs();
    if (nowMs - beganAtMs > LASTING_MS || this.#sinceMs < 0) this.#sinceMs = nowMs;
    const level = nowMs - this.#sinceMs > LASTING_MS ? 'warn' : 'info';
    this.log[level]({ err: error, ...this.fields }, this.what);
  }
}

/**
 * Ends reading when the broker is back, or has said nothing for two heartbeats, so that the reader opens it anew. The broker may have
 * lost data, and has forgotten readers that it kept in memory; of several servers the one that kept this reader may be away, which
 * nats.js would wait for. To be cancelled when reading has ended.
 */
export function stopWhenCutOff({ connection }: Bus, messages: ConsumerMessages): { cancel(): void } {
  const changes = connection.status() as AsyncIterable<{ type: string }> & { stop?(): void };
  const follow = async () => {
    for await (const { type } of changes) if (type === 'reconnect') messages.stop();
  };
  // Ends with the messages.
  const listen = async () => {
    for await (const { type } of await messages.status())
      if (type === ConsumerEvents.HeartbeatsMissed) messages.stop(new Error('the broker has fallen silent'));
  };
  void follow();
  void listen();
  return { cancel: () => changes.stop?.() };
}
