import { KeptLists, type SerializedList, type SubscribersByChannel } from './serialized-channels';

const object = (id: number) => ({ id, isArchived: false, json: Buffer.from(`{"stream_id":${id}}`) });
const beginning = (channelId: number, firstMessageId: number) => ({ channelId, firstMessageId, hasNamedTopics: false });
const subscribersOf = (ids: string): SubscribersByChannel =>
  new Map([[1, { userIds: Buffer.from(ids), isPartial: false }]]);
const channelsIn = ({ json }: SerializedList) => JSON.parse(`[${Buffer.from(json).toString().slice(0, -1)}]`);

const objects = [object(1), object(2)];
const subscribers = subscribersOf('[7]');

test('a list of channels is the same bytes until something in it changes', () => {
  const lists = new KeptLists();
  const list = lists.of(objects, [beginning(1, 5)], null);
  expect(channelsIn(list)).toEqual([
    { stream_id: 1, first_message_id: 5 },
    { stream_id: 2, first_message_id: null },
  ]);
  expect(lists.of(objects, [beginning(1, 5)], null)).toBe(list);
  expect(channelsIn(lists.of(objects, [beginning(1, 6)], null))[0]).toEqual({ stream_id: 1, first_message_id: 6 });
  expect(channelsIn(lists.of(objects, [beginning(1, 6), beginning(2, 8)], null))[1].first_message_id).toBe(8);
  expect(channelsIn(lists.of([object(3)], [], null))).toEqual([{ stream_id: 3, first_message_id: null }]);
});

test('a list with subscribers is kept beside the one without, until channels or subscribers change', () => {
  const lists = new KeptLists();
  const without = lists.of(objects, [], null);
  const list = lists.of(objects, [], subscribers);
  expect(channelsIn(list).map((channel: { subscribers: number[] }) => channel.subscribers)).toEqual([[7], []]);
  expect(lists.of(objects, [], subscribers)).toBe(list);
  expect(lists.of(objects, [], null)).toBe(without);
  expect(channelsIn(lists.of(objects, [], subscribersOf('[7,8]')))[0].subscribers).toEqual([7, 8]);
  expect(channelsIn(lists.of([object(1)], [], subscribers))).toHaveLength(1);
});
