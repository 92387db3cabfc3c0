import { getMessages, registerQueue, sendMessage, subscribe } from '@parley/gateway/endpoints';
import { type TestClient, TestNetwork } from '../src';

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
  test('makes the channel, and says who is subscribed now and who was before', async () => {
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

  test('lets in what is sent from then on, to a queue that was there before', async () => {
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
    // To a stranger it is as if it did not exist.
    const narrow = [{ operator: 'channel', operand: 'shared' }];
    await faye.expectError('BAD_NARROW', getMessages, { anchor: 'newest', num_before: 10, narrow });
  });
});
