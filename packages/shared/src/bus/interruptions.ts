import { ConsumerEvents, type ConsumerMessages, NatsError } from 'nats';
import type { Logger } from '../observability';
import type { Bus } from './bus';

/** A shorter interruption is caused by the replacement of a replica, or of a server of the broker. */
const LASTING_MS = 10_000;

/**
 * Logs why a permanent activity was interrupted: at a low level if it soon continues, as during rolling updates; as a warning
 * if it does not.
 */
export class Interruptions {
  #sinceMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly log: Logger,
    private readonly what: string,
    private readonly fields: object = {},
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Reports an interruption; `beganAtMs` is when it last began, by performance.now(). */
  note(error: unknown, beganAtMs: number): void {
    const nowMs = this.nowMs();
    if (nowMs - beganAtMs > LASTING_MS || this.#sinceMs < 0) this.#sinceMs = nowMs;
    const level = nowMs - this.#sinceMs > LASTING_MS ? 'warn' : 'info';
    // Errors of the client are words like TIMEOUT.
    const err = error instanceof NatsError ? new Error('NATS', { cause: error }) : error;
    this.log[level]({ err, ...this.fields }, this.what);
  }
}

/**
 * Ends reading when the broker is back, or was silent for two heartbeats, so that the reader opens the stream again. The broker
 * may have lost data, and has lost consumers that it kept in memory; in a cluster the server with this consumer may be
 * unreachable, for which nats.js would wait. Must be cancelled when reading has ended.
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
