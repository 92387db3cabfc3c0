import type { PublicEvent } from '@parley/client-model/rules';
import { getEvents, type InputOf, registerQueue } from '@parley/gateway/endpoints';
import type { TestClient } from './test-client';

export type QueueOptions = Partial<InputOf<typeof registerQueue>>;

/** A registered queue, followed as clients do: each poll acknowledges the events received before. */
export interface EventQueue {
  readonly queueId: string;
  /** The answer of POST /register. */
  readonly state: Record<string, unknown>;
  /** Waits for the next event of a type; keeps events of other types. */
  next(type: string): Promise<PublicEvent>;
  take(type: string, count: number): Promise<PublicEvent[]>;
  /** All events that are there now and were not taken; call network.settle() first. */
  rest(): Promise<PublicEvent[]>;
  /** Acknowledges nothing: returns the events after `lastEventId` again. */
  poll(lastEventId: number, dontBlock: boolean): Promise<PublicEvent[]>;
}

const HEARTBEAT = 'heartbeat';

export async function openEventQueue(client: TestClient, options: QueueOptions = {}): Promise<EventQueue> {
  const state = await client.call(registerQueue, options as InputOf<typeof registerQueue>);
  return new FollowedQueue(client, state);
}

class FollowedQueue implements EventQueue {
  readonly queueId: string;
  readonly #received: PublicEvent[] = [];
  #lastEventId: number;

  constructor(
    private readonly client: TestClient,
    readonly state: Record<string, unknown>,
  ) {
    // Only visitors have no queue.
    this.queueId = state['queue_id'] as string;
    this.#lastEventId = state['last_event_id'] as number;
  }

  async next(type: string): Promise<PublicEvent> {
    for (;;) {
      const index = this.#received.findIndex((event) => event.type === type);
      if (index >= 0) return this.#received.splice(index, 1)[0] as PublicEvent;
      await this.#receive(false);
    }
  }

  async take(type: string, count: number): Promise<PublicEvent[]> {
    const events = [];
    while (events.length < count) events.push(await this.next(type));
    return events;
  }

  async rest(): Promise<PublicEvent[]> {
    while ((await this.#receive(true)) > 0);
    return this.#received.splice(0);
  }

  async #receive(dontBlock: boolean): Promise<number> {
    const events = await this.poll(this.#lastEventId, dontBlock);
    this.#lastEventId = Math.max(this.#lastEventId, ...events.map(({ id }) => id));
    this.#received.push(...events.filter(({ type }) => type !== HEARTBEAT));
    return events.length;
  }

  async poll(lastEventId: number, dontBlock: boolean): Promise<PublicEvent[]> {
    const input = { queue_id: this.queueId, last_event_id: lastEventId, dont_block: dontBlock };
    const { events } = await this.client.call(getEvents, input);
    return events as PublicEvent[];
  }
}
