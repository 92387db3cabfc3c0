import {
  addLinkifier,
  archiveChannel,
  createChannel,
  createGroup,
  deactivateGroup,
  deleteMessage,
  deleteTopic,
  editMessage,
  sendMessage,
  updateFlags,
  updateGroup,
  updateUserTopic,
} from '@parley/gateway/endpoints';
import { type EventQueue, type PublicEvent, TestNetwork } from '../../src';

const MODERN = {
  bulk_message_deletion: true,
  include_deactivated_groups: true,
  archived_channels: true,
  empty_topic_name: true,
  linkifier_url_template: true,
  user_list_incomplete: true,
};

let network: TestNetwork;
let old: EventQueue;
let modern: EventQueue;
beforeAll(async () => {
  network = await TestNetwork.create();
});
beforeEach(async () => {
  old = await network.dan.events({ fetch_event_types: [], client_capabilities: {} });
  modern = await network.dan.events({ fetch_event_types: [], client_capabilities: MODERN });
});
afterAll(() => network.stop());

/** Both clients' events of some types, in short. */
async function heard(types: string[], shorten: (event: PublicEvent) => unknown): Promise<[unknown[], unknown[]]> {
  await network.settle();
  const short = async (queue: EventQueue) => {
    const events = await queue.rest();
    return events.filter(({ type }) => types.includes(type)).map(shorten);
  };
  return [await short(old), await short(modern)];
}

const say = async (topic: string, content = 'x') =>
  (await network.dan.call(sendMessage, { type: 'channel', to: 'general', topic, content })).id;

test('clients without bulk deletion get one event for each deleted message', async () => {
  const { iris } = network;
  const ids = [await say('gone'), await say('gone')];
  const { stream_id } = (await old.next('message'))['message'] as { stream_id: number };
  await iris.call(deleteTopic, { stream_id, topic_name: 'gone' });
  const [toOld, toModern] = await heard(['delete_message'], ({ message_id, message_ids }) => message_id ?? message_ids);
  expect([[...toOld].sort(), toModern]).toEqual([ids, [ids]]);
});

test('a deactivated user group is removed for clients that do not know deactivated groups, also after a change of its name', async () => {
  const { iris } = network;
  const { group_id } = await iris.call(createGroup, { name: 'crew', description: '', members: [] });
  await iris.call(deactivateGroup, { user_group_id: group_id });
  await iris.call(updateGroup, { user_group_id: group_id, name: 'old crew' });
  const [toOld, toModern] = await heard(['user_group'], ({ op, data }) => [op, data]);
  expect(toOld).toEqual([
    ['add', undefined],
    ['remove', undefined],
  ]);
  expect(toModern).toEqual([
    ['add', undefined],
    ['update', { deactivated: true }],
    ['update', { name: 'old crew' }],
  ]);
});

test('clients without the capability get an archived channel as deleted', async () => {
  const { iris } = network;
  const { id } = await iris.call(createChannel, { name: 'attic', subscribers: [iris.userId] });
  await iris.call(archiveChannel, { stream_id: id });
  const [toOld, toModern] = await heard(['stream'], ({ op, property }) => [op, property]);
  expect(toOld).toEqual([
    ['create', undefined],
    ['delete', undefined],
  ]);
  expect(toModern).toEqual([
    ['create', undefined],
    ['update', 'is_archived'],
  ]);
});

test('clients without empty topic names get the display name wherever topics are named', async () => {
  const { dan, iris } = network;
  const id = await say('');
  const { stream_id } = (await old.next('message'))['message'] as { stream_id: number };
  await dan.call(editMessage, { message_id: id, topic: 'named' });
  await dan.call(editMessage, { message_id: id, topic: '' });
  await dan.call(updateUserTopic, { stream_id, topic: '', visibility_policy: 3 });
  for (const op of ['add', 'remove'] as const) await dan.call(updateFlags, { op, flag: 'read', messages: [id] });
  await iris.call(deleteMessage, { message_id: id });
  const types = ['message', 'update_message', 'user_topic', 'update_message_flags', 'delete_message'];
  const topicIn = (event: PublicEvent): unknown => {
    const {
      message,
      message_details: details,
      orig_subject,
      subject,
      topic_name,
      topic,
    } = event as never as {
      message?: { subject: string };
      message_details?: Record<string, { topic: string }>;
      [name: string]: unknown;
    };
    const place = message?.subject ?? details?.[id]?.topic ?? topic_name ?? topic;
    return [event.type, ...(orig_subject === undefined ? [place] : [orig_subject, subject])];
  };
  const about = (events: unknown[]) =>
    [...new Set(events.map((event) => JSON.stringify(event)))].map((e) => JSON.parse(e));
  const [toOld, toModern] = await heard(types, topicIn);
  const expected = (empty: string) => [
    ['update_message', empty, 'named'],
    ['update_message', 'named', empty],
    ['user_topic', empty],
    ['update_message_flags', empty],
    ['delete_message', empty],
  ];
  expect(about(toOld)).toEqual(expect.arrayContaining(expected('general chat')));
  expect(about(toModern)).toEqual(expect.arrayContaining([['message', ''], ...expected('')]));
  expect(JSON.stringify(toOld)).not.toContain('""');
});

test('only clients that expand URL templates get linkifiers', async () => {
  await network.iris.call(addLinkifier, { pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example/{id}' });
  const [toOld, toModern] = await heard(['realm_linkifiers'], ({ realm_linkifiers: all }) => (all as []).length);
  expect([toOld, toModern]).toEqual([[0], [1]]);
});

test('muted topics come in the old form too, except to clients that request the new one', async () => {
  const { dan } = network;
  const askingBoth = await dan.events({ fetch_event_types: [], event_types: ['muted_topics', 'user_topic'] });
  const askingOld = await dan.events({ fetch_event_types: [], event_types: ['muted_topics'] });
  await say('noise');
  const { stream_id } = (await old.next('message'))['message'] as { stream_id: number };
  await dan.call(updateUserTopic, { stream_id, topic: 'noise', visibility_policy: 1 });
  const [toOld] = await heard(['muted_topics', 'user_topic'], ({ type }) => type);
  const typesOf = async (queue: EventQueue) => [...new Set((await queue.rest()).map(({ type }) => type))];
  expect(toOld).toEqual(expect.arrayContaining(['muted_topics', 'user_topic']));
  expect([await typesOf(askingBoth), await typesOf(askingOld)]).toEqual([['user_topic'], ['muted_topics']]);
});
