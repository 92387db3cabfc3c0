import { MAX_DELETED_SINGLY, type MessagesDeleted } from '@parley/shared/events';
import { endOfRecord, recordSeqOf } from '../src/log/event-id';
import { CHANNEL, directMessage } from './eg';
import { Network, type Pod } from './network';
import type { PublicEvent } from './poll-client';

let network: Network;
let pod: Pod;

beforeEach(async () => {
  network = await new Network().start();
  pod = await network.startPod();
});
afterEach(() => network.stop());

const deletion = (firstId: number, count: number): MessagesDeleted => ({
  messageIds: Array.from({ length: count }, (_, index) => firstId + index),
  channel: { id: CHANNEL, topic: 'lunch' },
  audience: { to: 'users', userIds: [1] },
});
const publish = (...deletions: MessagesDeleted[]) => network.publish('messages.deleted-singly', deletions);
const deletedIn = (events: PublicEvent[]) => events.map(({ message_id: id }) => id);
const BULK = { capabilities: ['empty_topic_name', 'bulk_message_deletion'] };

describe('an event that becomes one public event for each of its messages', () => {
  test('reaches a waiting poll and a later one alike, with ids in its order', async () => {
    const [waiting, later, bulk] = [await pod.register(1), await pod.register(1), await pod.register(1, BULK)];
    const answer = pod.poll(waiting);
    await pod.parked(1);
    await publish(deletion(1, 3), deletion(4, 2));
    const events = await answer;
    expect(deletedIn(events)).toEqual([1, 2, 3, 4, 5]);
    expect(events[0]).toEqual({
      ...{ id: events[0]?.id, type: 'delete_message', message_id: 1 },
      ...{ message_type: 'stream', stream_id: CHANNEL, topic: 'lunch' },
    });
    const ids = events.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(await pod.drain(later)).toEqual(events);
    expect(await pod.drain(bulk)).toEqual([]);
  });

  test('continues where the client stopped, and stays before the events of the next record', async () => {
    const queue = await pod.register(1);
    await publish(deletion(1, MAX_DELETED_SINGLY));
    await publish(deletion(2_001, 1));
    const events = await pod.drain(queue);
    expect(deletedIn(events)).toEqual([...deletion(1, MAX_DELETED_SINGLY).messageIds, 2_001]);
    const last = events.at(-2)?.id as number;
    expect(last).toBeLessThanOrEqual(endOfRecord(recordSeqOf(events[0]?.id as number)));
    queue.lastEventId = events[1]?.id as number;
    expect(await pod.drain(queue)).toEqual(events.slice(2));
  });

  test('ends a search also if its record is larger than what is searched at once', async () => {
    const [own, bulk] = [await pod.register(1), await pod.register(1, BULK)];
    await publish(...Array.from({ length: 32 }, (_, index) => deletion(1 + index * 500, 500)));
    expect(await pod.drain(bulk)).toEqual([]);
    own.lastEventId = (await pod.drain(own)).at(-1)?.id as number;
    expect(deletedIn(await pod.drain(own))[0]).toBe(5_001);
    const waiting = pod.poll(bulk);
    await pod.parked(1);
    await network.publishMessages(directMessage([1]));
    expect(await waiting).toHaveLength(1);
  });

  test('comes in several answers if one has too many', async () => {
    const waiting = await pod.register(1);
    const answer = pod.poll(waiting);
    await pod.parked(1);
    const parts = Array.from({ length: 12 }, (_, index) => deletion(1 + index * 500, 500));
    await publish(...parts);
    const [first, rest] = [await answer, await pod.drain(waiting)];
    expect(first).toHaveLength(5_000);
    expect(deletedIn([...first, ...rest])).toEqual(parts.flatMap(({ messageIds }) => messageIds));
  });
});
