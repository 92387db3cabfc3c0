import {
  changeOwnSubscriptions,
  getMessage,
  getMessages,
  listSubscriptions,
  registerQueue,
  sendMessage,
  subscribe,
  unsubscribe,
  updateSubscriptionProperties,
} from '@parley/gateway/endpoints';
import { type EventQueue, type TestClient, TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

function send(sender: TestClient, channel: string, content: string): Promise<{ id: number }> {
  return sender.call(sendMessage, { type: 'channel', to: channel, topic: 'history', content });
}

async function contentsRead(reader: TestClient, channel: string): Promise<string[]> {
  const narrow = [{ operator: 'channel', operand: channel }];
  const { messages } = await reader.call(getMessages, {
    ...{ anchor: 'newest', num_before: 100, apply_markdown: false },
    narrow,
  });
  return messages.map(({ content }) => content);
}

describe('subscribing', () => {
  test('creates the channel, and returns new and earlier subscribers', async () => {
    const { dan, eve } = network;
    const both = { subscriptions: [{ name: 'books' }], principals: [dan.userId, eve.userId] };
    expect(await dan.call(subscribe, { subscriptions: [{ name: 'books' }] })).toMatchObject({
      subscribed: { [dan.userId]: ['books'] },
      already_subscribed: {},
    });
    expect(await dan.call(subscribe, both)).toMatchObject({
      subscribed: { [eve.userId]: ['books'] },
      already_subscribed: { [dan.userId]: ['books'] },
    });
    const { subscriptions } = await eve.call(registerQueue, { fetch_event_types: ['subscription'] });
    expect(subscriptions?.map(({ name }) => name)).toContain('books');
  });

  test('delivers later messages, also to an older queue', async () => {
    const { dan, eve } = network;
    const events = await eve.events({ event_types: ['message'] });
    await dan.call(subscribe, { subscriptions: [{ name: 'films' }] });
    await send(dan, 'films', 'before');
    await eve.call(subscribe, { subscriptions: [{ name: 'films' }] });
    await send(dan, 'films', 'after');
    expect(await events.next('message')).toMatchObject({ message: { content: 'after' } });
    await network.settle();
    expect(await events.rest()).toEqual([]);
  });
});

describe('the history', () => {
  test('of a public channel is everybody’s, also that before one’s time', async () => {
    const { dan, eve, iris } = network;
    await dan.call(subscribe, { subscriptions: [{ name: 'open' }] });
    await send(dan, 'open', 'one');
    expect(await contentsRead(eve, 'open')).toEqual(['one']);
    await iris.call(subscribe, { subscriptions: [{ name: 'open' }] });
    expect(await contentsRead(iris, 'open')).toEqual(['one']);
  });

  test('of a private channel begins, for each, with their subscription', async () => {
    const { dan, eve } = network;
    const closed = { subscriptions: [{ name: 'closed' }], invite_only: true };
    await dan.call(subscribe, closed);
    await send(dan, 'closed', 'before');
    await dan.call(subscribe, { ...closed, principals: [eve.userId] });
    await send(dan, 'closed', 'after');
    expect(await contentsRead(dan, 'closed')).toEqual(['before', 'after']);
    expect(await contentsRead(eve, 'closed')).toEqual(['after']);
  });

  test('of a private channel that shares it is its subscribers’ as a whole', async () => {
    const { dan, eve, faye } = network;
    const shared = { subscriptions: [{ name: 'shared' }], invite_only: true, history_public_to_subscribers: true };
    await dan.call(subscribe, shared);
    await send(dan, 'shared', 'before');
    await dan.call(subscribe, { ...shared, principals: [eve.userId] });
    expect(await contentsRead(eve, 'shared')).toEqual(['before']);
    // For a user without access it does not exist.
    const narrow = [{ operator: 'channel', operand: 'shared' }];
    await faye.expectError('BAD_NARROW', getMessages, { anchor: 'newest', num_before: 10, narrow });
  });
});

/** A queue's events of subscriptions and channels, without their contents. */
async function receivedBy(queue: EventQueue): Promise<unknown[]> {
  await network.settle();
  return (await queue.rest())
    .filter(({ type }) => type === 'subscription' || type === 'stream')
    .map(({ type, op, stream_ids, user_ids, property, value }) =>
      [`${type} ${op}`, stream_ids, user_ids, property, value].filter((part) => part !== undefined),
    );
}

describe('a private channel', () => {
  const closed = (name: string) => ({ subscriptions: [{ name }], invite_only: true });

  test('is lost from the next request on, in queues too', async () => {
    const { dan, eve } = network;
    await dan.call(subscribe, { ...closed('club'), principals: [dan.userId, eve.userId] });
    await network.settle();
    const queue = await eve.events({ event_types: ['message', 'subscription', 'stream'] });
    const { id } = await send(dan, 'club', 'with eve');
    expect(await queue.next('message')).toMatchObject({ message: { id } });
    expect(await queue.next('stream')).toMatchObject({ op: 'update', property: 'first_message_id', value: id });
    expect(await contentsRead(eve, 'club')).toEqual(['with eve']);

    const { removed } = await dan.call(unsubscribe, { subscriptions: ['club'], principals: [eve.userId] });
    expect(removed).toEqual(['club']);
    const toClub = { type: 'channel', to: 'club', topic: 'history', content: 'x' } as const;
    await eve.expectError('STREAM_DOES_NOT_EXIST', sendMessage, toClub);
    await send(dan, 'club', 'without eve');
    const narrow = [{ operator: 'channel', operand: 'club' }];
    await eve.expectError('BAD_NARROW', getMessages, { anchor: 'newest', num_before: 10, narrow });
    await eve.expectError('BAD_REQUEST', getMessage, { message_id: id });
    await network.settle();
    const events = await queue.rest();
    expect(events.map(({ type, op }) => [type, op])).toEqual([
      ['subscription', 'remove'],
      ['stream', 'delete'],
    ]);
    const { streams } = await eve.call(registerQueue, { fetch_event_types: ['stream'] });
    expect(streams?.map(({ name }) => name)).not.toContain('club');
  });

  test('appears before the subscription does; only subscribers get events of other subscribers', async () => {
    const { dan, eve, iris, faye } = network;
    await dan.call(subscribe, closed('circle'));
    await network.settle();
    const queues = await Promise.all([dan, eve, faye].map((client) => client.events()));
    const [ofDan, ofEve, ofFaye] = queues as [EventQueue, EventQueue, EventQueue];
    await dan.call(subscribe, { ...closed('circle'), principals: [eve.userId] });
    const [appeared, added] = [await ofEve.next('stream'), await ofEve.next('subscription')];
    const [{ stream_id: channelId }] = appeared['streams'] as [{ stream_id: number }];
    expect(appeared).toMatchObject({ op: 'create', streams: [{ name: 'circle', invite_only: true }] });
    expect(added).toMatchObject({
      op: 'add',
      subscriptions: [{ stream_id: channelId, subscribers: [dan.userId, eve.userId].sort((a, b) => a - b) }],
    });
    expect(appeared.id).toBeLessThan(added.id);
    expect(await receivedBy(ofDan)).toEqual([['subscription peer_add', [channelId], [eve.userId]]]);
    await dan.call(subscribe, { ...closed('circle'), principals: [iris.userId] });
    expect(await receivedBy(ofEve)).toEqual([['subscription peer_add', [channelId], [iris.userId]]]);
    await eve.call(unsubscribe, { subscriptions: ['circle'] });
    expect(await receivedBy(ofDan)).toEqual([
      ['subscription peer_add', [channelId], [iris.userId]],
      ['subscription peer_remove', [channelId], [eve.userId]],
    ]);
    expect(await receivedBy(ofFaye)).toEqual([]);
  });
});

test('changes of one’s own subscription are in all lists', async () => {
  const { dan } = network;
  const queue = await dan.events({ event_types: ['subscription'] });
  await dan.call(subscribe, { subscriptions: [{ name: 'tea' }] });
  await dan.call(changeOwnSubscriptions, { add: [{ name: 'coffee', color: '#abcdef' }], delete: ['tea'] });
  const { subscriptions } = await dan.call(listSubscriptions, { include_subscribers: 'true' });
  const coffee = subscriptions.find(({ name }) => name === 'coffee');
  expect(coffee).toMatchObject({ color: '#abcdef', subscribers: [dan.userId], is_muted: false });
  expect(subscriptions.map(({ name }) => name)).not.toContain('tea');
  const channelId = coffee?.stream_id as number;
  await dan.call(updateSubscriptionProperties, {
    subscription_data: [{ stream_id: channelId, property: 'is_muted', value: true }],
  });
  expect(await receivedBy(queue)).toEqual([
    ['subscription add'],
    ['subscription add'],
    ['subscription remove'],
    ['subscription update', 'in_home_view', false],
    ['subscription update', 'is_muted', true],
  ]);
  const state = await dan.call(registerQueue, { fetch_event_types: ['subscription'] });
  expect(state.subscriptions?.find(({ name }) => name === 'coffee')).toMatchObject({ is_muted: true });
  expect(state.unsubscribed?.map(({ name }) => name)).toContain('tea');
});
