import { getEvents, type InputOf, registerQueue } from '@parley/gateway/endpoints';
import type { TestClient } from './test-client';

export type QueueOptions = Partial<InputOf<typeof registerQueue>>;

export type PublicEvent = { id: number; type: string } & Record<string, unknown>;

/** A registered queue, followed as clients do: each poll acknowledges what was received before. */
export interface EventQueue {
  readonly queueId: string;
  /** The answer of POST /register. */
  readonly state: Record<string, unknown>;
  /** The next event of a type, waited for; events of other types are kept. */
  next(type: string): Promise<PublicEvent>;
  take(type: string, count: number): Promise<PublicEvent[]>;
  /** Everything that is there now and was not taken; call network.settle() first. */
  rest(): Promise<PublicEvent[]>;
  /** Acknowledges nothing new: answers the events after `lastEventId` again. */
  poll(lastEventId: number, dontBlock: boolean): Promise<PublicEvent[]>;
}

const HEARTBEAT = 'heartbeat';

export async function openEventQueue(client: TestClient, options: QueueOptions = {}): Promise<EventQueue> {
  const state = await client.call(registerQueue, options as InputOf<typeof registerQueue>);
  // Only visitors have no queue.
  const queueId = state.queue_id as string;
  let lastEventId = state.last_event_id as number;
  const received: PublicEvent[] = [];

  async function poll(from: number, dontBlock: boolean): Promise<PublicEvent[]> {
    const { events } = await client.call(getEvents, {
      queue_id: queueId,
      last_event_id: from,
      dont_block: dontBlock,
    });
    return events as PublicEvent[];
  }

  async function receive(dontBlock: boolean): Promise<number> {
    const events = await poll(lastEventId, dontBlock);
    lastEventId = Math.max(lastEventId, ...events.map(({ id }) => id));
    received.push(...events.filter(({ type }) => type !== HEARTBEAT));
    return events.length;
  }

  async function next(type: string): Promise<PublicEvent> {
    for (;;) {
      const index = received.findIndex((event) => event.type === type);
      if (index >= 0) return received.splice(index, 1)[0] as PublicEvent;
      await receive(false);
    }
  }

  return {
    queueId,
    state,
    poll,
    next,
    async take(type, count) {
      const events = [];
      while (events.length < count) events.push(await next(type));
      return events;
    },
    async rest() {
      while ((await receive(true)) > 0);
      return received.splice(0);
    },
  };
}
