import { randomUUID } from 'node:crypto';
import type { Bus } from '@parley/shared/bus';

interface Claim {
  podId: string;
  queueId: string;
}

/**
 * Announces the pod that gets a queue's polls, so that no other pod keeps an older poll parked. Sent over the broker and not
 * stored: if it is lost, two polls wait and get the same events.
 */
export class PollClaims {
  readonly #podId = randomUUID();

  constructor(private readonly bus: Bus) {}

  /** A queue's poll arrived here. */
  claim(queueId: string): void {
    const claim: Claim = { podId: this.#podId, queueId };
    this.bus.connection.publish(this.#subject, JSON.stringify(claim));
  }

  /** Reports the queues claimed by other pods, while the connection lasts. */
  follow(onClaimedElsewhere: (queueId: string) => void): void {
    this.bus.connection.subscribe(this.#subject, {
      callback: (error, message) => {
        if (error) return;
        const { podId, queueId } = message.json<Claim>();
        if (podId !== this.#podId) onClaimedElsewhere(queueId);
      },
    });
  }

  get #subject(): string {
    return `${this.bus.prefix}polled-queues`;
  }
}
