import {
  archiveChannel,
  deleteMessage,
  deleteTopic,
  editMessage,
  sendMessage,
  subscribe,
  unsubscribe,
  updateChannel,
  updateUser,
} from '@parley/gateway/endpoints';
import { type TestClient, TestNetwork } from '../../src';
import { expectFreshEqualsReplayed, type Followers, followEveryone, makeReady } from './harness';

const FIRST = 'stream/update:first_message_id';

let network: TestNetwork;
let followers: Followers;

beforeAll(async () => {
  network = await TestNetwork.create();
  followers = await followEveryone(network);
});
afterAll(() => network.stop());

const expectReplayed = (produced: readonly string[], action: () => Promise<unknown>) =>
  expectFreshEqualsReplayed(network, followers, produced, action);

/** A channel of Dan and Iris, in which nothing was said. */
async function given(name: string, options: Record<string, unknown> = {}): Promise<number> {
  const { dan, iris } = network;
  const principals = [dan.userId, iris.userId];
  const asked = { subscriptions: [{ name }], principals, announce: false, send_new_subscription_messages: false };
  await makeReady(network, followers, () => iris.call(subscribe, { ...asked, ...options }));
  return (knownTo('iris').find((channel) => channel.name === name) as KnownChannel).stream_id;
}

interface KnownChannel {
  name: string;
  stream_id: number;
  first_message_id: number | null;
}

/** The channels of the state that somebody's new client has. */
function knownTo(person: string): KnownChannel[] {
  const { state } = followers.find(({ name }) => name === `${person}, new client`) as Followers[number];
  return state['streams'] as KnownChannel[];
}

/** The channel's first message for a new client of each. */
const firstFor = (stream_id: number, ...people: string[]) =>
  people.map((person) => knownTo(person).find((channel) => channel.stream_id === stream_id)?.first_message_id);

async function send(client: TestClient, to: string, topic: string): Promise<number> {
  return (await client.call(sendMessage, { type: 'channel', to, topic, content: 'Hello' })).id;
}

const sent = (to: string, topic: string) => makeReady(network, followers, () => send(network.dan, to, topic));

const moveTo = (stream_id: number, message_id: number) =>
  network.iris.call(editMessage, {
    ...{ message_id, stream_id, propagate_mode: 'change_all' },
    ...{ send_notification_to_new_thread: false, send_notification_to_old_thread: false },
  });

test('a channel begins, loses its first message, then its last one', async () => {
  const { dan, iris } = network;
  const channelId = await given('fresh');
  const ids: number[] = [];
  await expectReplayed([FIRST, 'message'], async () => {
    for (const topic of ['a', 'b', 'b']) ids.push(await send(dan, 'fresh', topic));
  });
  expect(firstFor(channelId, 'iris', 'eve')).toEqual([ids[0], ids[0]]);
  await expectReplayed([FIRST], () => iris.call(deleteMessage, { message_id: ids[0] as number }));
  expect(firstFor(channelId, 'iris', 'eve')).toEqual([ids[1], ids[1]]);
  const events = await expectReplayed([FIRST], () => iris.call(deleteTopic, { stream_id: channelId, topic_name: 'b' }));
  expect(events.filter(({ property }) => property === 'first_message_id')).toContainEqual(
    expect.objectContaining({ stream_id: channelId, value: null }),
  );
  expect(firstFor(channelId, 'iris', 'eve')).toEqual([null, null]);
});

test('moves change the first message of either channel, or of neither', async () => {
  const [fromId, toId] = [await given('from'), await given('to')];
  const [older, early] = [await sent('from', 'a'), await sent('from', 'b')];
  const late = await sent('to', 'c');
  await expectReplayed([FIRST], () => moveTo(toId, early));
  expect([...firstFor(fromId, 'eve'), ...firstFor(toId, 'eve')]).toEqual([older, early]);
  await expectReplayed([FIRST], () => moveTo(toId, older));
  expect([...firstFor(fromId, 'eve'), ...firstFor(toId, 'eve')]).toEqual([null, older]);
  await expectReplayed([FIRST], () => moveTo(fromId, late));
  expect([...firstFor(fromId, 'eve'), ...firstFor(toId, 'eve')]).toEqual([late, older]);
  const last = await sent('to', 'd');
  const events = await expectReplayed(['update_message'], () => moveTo(fromId, last));
  expect(events.filter(({ property }) => property === 'first_message_id')).toEqual([]);
});

test('a channel that appears comes with its first message', async () => {
  const { dan, eve, faye, iris } = network;
  const openId = await given('open');
  const hidden = { invite_only: true, history_public_to_subscribers: true };
  const secretId = await given('secret', hidden);
  const [first, secret] = [await sent('open', 'a'), await sent('secret', 'a')];
  const add = (name: string, person: TestClient) =>
    iris.call(subscribe, { subscriptions: [{ name }], principals: [person.userId] });
  await expectReplayed(['stream/create', 'subscription/add'], () => add('secret', eve));
  expect(firstFor(secretId, 'eve', 'faye')).toEqual([secret, undefined]);
  await expectReplayed(['stream/create', 'subscription/add'], () => add('open', faye));
  expect(firstFor(openId, 'faye')).toEqual([first]);
  await expectReplayed(['subscription/remove', 'stream/delete'], () =>
    iris.call(unsubscribe, { subscriptions: ['secret'], principals: [eve.userId] }),
  );
  await expectReplayed(['stream/create'], () => iris.call(updateChannel, { stream_id: secretId, is_private: false }));
  expect(firstFor(secretId, 'eve')).toEqual([secret]);
  await expectReplayed([], () => iris.call(archiveChannel, { stream_id: openId }));
  await expectReplayed(['stream/create', 'subscription/add'], () =>
    iris.call(updateChannel, { stream_id: openId, is_archived: false }),
  );
  expect(firstFor(openId, 'dan', 'eve', 'faye')).toEqual([first, first, first]);
  expect(await dan.call(deleteMessage, { message_id: secret })).toBeDefined();
});

test('a guest who becomes a member gets the channels’ first messages, however recently they changed', async () => {
  const { dan, faye, iris } = network;
  const channelId = await given('members');
  const first = await sent('members', 'a');
  const next = await sent('members', 'b');
  await expectReplayed(['stream/create', FIRST], async () => {
    await iris.call(updateUser, { user_id: faye.userId, role: 400 });
    await dan.call(deleteMessage, { message_id: first });
  });
  expect(firstFor(channelId, 'faye')).toEqual([next]);
});
