import { addReaction, deleteMessage, editMessage, sendMessage, subscribe } from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { createFakeClock } from '@parley/shared/testing';
import { TestNetwork } from '../src';

/** In all services together, but for what the relays of events do beside it. */
/** Two of those of a resolve note that the change of its actor's topic policy was handled, which the old form of that event follows from. */
const BUDGETS = { 'edit the content': 6, react: 4, resolve: 16, delete: 9 };
type Deed = keyof typeof BUDGETS;

const MANY_SUBSCRIBERS = 1_000;
const MANY_MESSAGES = 60;

let network: TestNetwork;
beforeAll(async () => {
  // Time stands still: what services do every second is nobody's cost.
  network = await TestNetwork.create({ clock: createFakeClock() });
});
afterAll(() => network.stop());

async function send(channel: string, topic: string): Promise<number> {
  const message = { type: 'channel', to: channel, topic, content: 'Hello' } as const;
  return (await network.dan.call(sendMessage, message)).id;
}

async function statementsOf(deed: () => Promise<unknown>): Promise<number> {
  await network.settle();
  const before = network.statementCount();
  await deed();
  await network.settle();
  return network.statementCount() - before;
}

/** What each of them costs in a new topic of so many messages. */
async function costs(channel: string, topic: string, messageCount: number): Promise<Record<Deed, number>> {
  const { dan } = network;
  const id = await send(channel, topic);
  for (let count = 1; count < messageCount; count += 1) await send(channel, topic);
  const heart = { emoji_name: 'heart', emoji_code: '2764', reaction_type: 'unicode_emoji' };
  const resolved = { topic: `✔ ${topic}`, propagate_mode: 'change_all' };
  return {
    'edit the content': await statementsOf(() =>
      dan.call(editMessage, { message_id: id, content: 'Hello @**Eve Castillo**' }),
    ),
    react: await statementsOf(() => dan.call(addReaction, { message_id: id, ...heart })),
    resolve: await statementsOf(() => dan.call(editMessage, { message_id: id, ...resolved })),
    delete: await statementsOf(() => dan.call(deleteMessage, { message_id: id })),
  };
}

/** The name of a channel that a whole organization is in. */
async function fillLargeChannel(): Promise<string> {
  const { realmService, dan } = network;
  const size = { users: MANY_SUBSCRIBERS + 200, channels: 1, subscriptionsPerUser: 1, groups: 0, seed: 1 };
  await realmService.fillRealm(newCall(undefined, 60_000), { subdomain: '', ...size });
  const [channel] = await network
    .database('realm')
    .query<{ name: string; count: number }>(
      'select name, subscriber_count as count from channel order by subscriber_count desc limit 1',
    );
  expect(channel?.count).toBeGreaterThan(MANY_SUBSCRIBERS);
  await dan.call(subscribe, { subscriptions: [{ name: channel?.name as string }] });
  return channel?.name as string;
}

test('what changes a message costs few SQL statements, however many have it and however many are in its topic', async () => {
  const { dan, eve } = network;
  await dan.call(subscribe, { subscriptions: [{ name: 'small' }], principals: [dan.userId, eve.userId] });
  const largeChannel = await fillLargeChannel();
  await costs('small', 'first', 1);
  const small = await costs('small', 'short', 1);
  const large = await costs(largeChannel, 'long', MANY_MESSAGES);
  const overdrawn = (Object.keys(BUDGETS) as Deed[]).filter((deed) => small[deed] === 0 || small[deed] > BUDGETS[deed]);
  expect([overdrawn, small]).toEqual([[], small]);
  expect(large).toEqual(small);
}, 60_000);
