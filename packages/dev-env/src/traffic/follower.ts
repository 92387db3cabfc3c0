import assert from 'node:assert/strict';
import { assertAccepted, type Json, Participant } from './participant';

/** The events of one queue of a follower. */
export interface FollowedQueue {
  maxMessageId: number;
  /** By sender, in the order of arrival. */
  numbers: Map<number, number[]>;
  /** All senders' messages in the order of arrival. */
  order: string[];
  /** The numbers sent in the private channel, in the order of arrival. */
  secrets: number[];
}

/** Polls a queue; registers again only when the queue no longer exists. */
export class Follower extends Participant {
  readonly queues: FollowedQueue[] = [];

  async run(): Promise<void> {
    while (!this.traffic.isOver) {
      const form = { event_types: '["message"]', fetch_event_types: '["message"]', apply_markdown: 'false' };
      const state = await this.ask('POST', 'register', form);
      if (state === null) return;
      assertAccepted(state);
      const maxMessageId = state['max_message_id'] as number;
      this.queues.push({ maxMessageId, numbers: new Map(), order: [], secrets: [] });
      this.traffic.changed();
      await this.#follow(state['queue_id'] as string, state['last_event_id'] as number);
    }
  }

  /** The latest number received from a sender. */
  latest(senderId: number): number {
    return this.queues.at(-1)?.numbers.get(senderId)?.at(-1) ?? 0;
  }

  async #follow(queueId: string, begin: number): Promise<void> {
    let lastEventId = begin;
    for (;;) {
      const answer = await this.ask('GET', 'events', { queue_id: queueId, last_event_id: `${lastEventId}` });
      if (answer === null || answer['code'] === 'BAD_EVENT_QUEUE_ID') return;
      assertAccepted(answer);
      for (const event of answer['events'] as ({ id: number; type: string } & Json)[]) {
        assert(event.id > lastEventId, `event ${event.id} came after ${lastEventId}`);
        lastEventId = event.id;
        if (event.type === 'message') this.#take(event['message'] as { sender_id: number; content: string });
      }
      this.traffic.changed();
    }
  }

  #take({ sender_id: senderId, content }: { sender_id: number; content: string }): void {
    const [, word, digits] = /^(number|secret) (\d+)$/.exec(content) ?? [];
    const number = Number(digits);
    const { numbers, order, secrets } = this.queues.at(-1) as FollowedQueue;
    if (word === 'secret') secrets.push(number);
    if (word !== 'number') return;
    order.push(`${senderId}: ${number}`);
    const received = numbers.get(senderId);
    if (received) received.push(number);
    else numbers.set(senderId, [number]);
  }
}
