import { randomUUID } from 'node:crypto';
import type { Bus } from '@parley/shared/bus';

interface Claim {
  podId: string;
  queueId: string;
}

/**
 * To which pod the polls of a queue come, told to the others when that changes, so that none of them lets an older poll wait on. It is
 * said over the broker and kept nowhere: where it is lost, two polls wait and get the same events.
 */
export class PollClaims {
  readonly #podId = randomUUID();

  constructor(private readonly bus: Bus) {}

  /** A queue is polled here now. */
  claim(queueId: string): void {
    const claim: Claim = { podId: this.#podId, queueId };
    this.bus.connection.publish(this.#subject, JSON.stringify(claim));
  }

  /** Tells of the queues that other pods claim, for as long as the connection lasts. */
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
