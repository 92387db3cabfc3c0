import type { Logger } from '../observability';

/** What works again so soon was a replica, or a server of the broker, that was replaced. */
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
