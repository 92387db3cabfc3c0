import {
  archiveChannel,
  createChannel,
  getChannel,
  listChannels,
  listSubscriptions,
  registerQueue,
  sendMessage,
  unsubscribe,
  updateSubscriptionProperties,
} from '@parley/gateway/endpoints';
import { TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
  const { iris, dan, faye } = network;
  const make = (name: string, isPrivate: boolean) =>
    iris.call(createChannel, { name, subscribers: [iris.userId, dan.userId, faye.userId], invite_only: isPrivate });
  const { id: books } = await make('books', false);
  await make('hidden', true);
  const { id: old } = await make('"old"', false);
  await make('left', false);
  await dan.call(sendMessage, { type: 'stream', to: books, topic: 'tea', content: 'first' });
  await dan.call(updateSubscriptionProperties, {
    subscription_data: [{ stream_id: books, property: 'push_notifications', value: true }],
  });
  await dan.call(unsubscribe, { subscriptions: ['left'] });
  await iris.call(archiveChannel, { stream_id: old });
});
afterAll(() => network.stop());

describe.each(['iris', 'dan', 'eve', 'faye'] as const)('%s', (name) => {
  test('gets each channel of a list like a single one', async () => {
    const client = network[name];
    const { streams } = await client.call(listChannels, { include_all: true, exclude_archived: false });
    const alone = streams.map(async ({ stream_id }) => (await client.call(getChannel, { stream_id })).stream);
    expect(streams).toEqual(await Promise.all(alone));
    const names = streams.map((channel) => channel.name);
    expect(names).toEqual([...names].sort());
  });

  test.each(['true', 'false', 'partial'] as const)('gets the subscriptions of POST /register: %s', async (wanted) => {
    const client = network[name];
    const capabilities = { notification_settings_null: true };
    const state = await client.call(registerQueue, {
      fetch_event_types: ['subscription'],
      include_subscribers: wanted,
      client_capabilities: capabilities,
    });
    const { subscriptions } = await client.call(listSubscriptions, { include_subscribers: wanted });
    expect(subscriptions).toEqual(state.subscriptions);
  });
});
