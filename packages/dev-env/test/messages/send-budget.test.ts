import { sendMessage, subscribe } from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { createFakeClock } from '@parley/shared/testing';
import { TestNetwork } from '../../src';

const BUDGET = 6;
const MANY = 10_000;
/** Some of those who were ever in the filled channel have left it. */
const FILLED_USERS = 11_000;

let network: TestNetwork;
beforeAll(async () => {
  // The clock stands still: the services' periodic tasks do not count.
  network = await TestNetwork.create({ clock: createFakeClock() });
});
afterAll(() => network.stop());

/** Statements of all services together while a message is sent and delivered. */
async function statementsOfSending(channel: string): Promise<number> {
  await network.settle();
  const before = network.statementCount();
  await network.dan.call(sendMessage, {
    type: 'channel',
    to: channel,
    topic: 'budget',
    content: 'Hello @**Eve Castillo**',
  });
  await network.settle();
  return network.statementCount() - before;
}

/** The name of a channel that a whole organization is in. */
async function fillLargeChannel(): Promise<string> {
  const { realmService, dan } = network;
  const size = { users: FILLED_USERS, channels: 1, subscriptionsPerUser: 1, groups: 0, seed: 1 };
  await realmService.fillRealm(newCall(undefined, 60_000), { subdomain: '', ...size });
  const [channel] = await network
    .database('realm')
    .query<{ name: string; count: number }>(
      'select name, subscriber_count as count from channel order by subscriber_count desc limit 1',
    );
  expect(channel?.count).toBeGreaterThan(MANY);
  await dan.call(subscribe, { subscriptions: [{ name: channel?.name as string }] });
  return channel?.name as string;
}

/** How often lists in POST /register have changed: triggers count that, and their statements are not logged. */
async function listChanges(): Promise<number> {
  const [row] = await network.database('realm').query<{ sum: string }>('select sum(changes) as sum from list_change');
  return Number(row?.sum);
}

test(`a send costs at most ${BUDGET} SQL statements in all services together, for few subscribers or ${MANY}`, async () => {
  const { dan, eve } = network;
  await dan.call(subscribe, { subscriptions: [{ name: 'small' }], principals: [dan.userId, eve.userId] });
  const largeChannel = await fillLargeChannel();
  await statementsOfSending('small');
  await statementsOfSending(largeChannel);
  const changesBefore = await listChanges();
  const small = await statementsOfSending('small');
  const large = await statementsOfSending(largeChannel);
  expect(small).toBeGreaterThan(0);
  expect(small).toBeLessThanOrEqual(BUDGET);
  expect(large).toBe(small);
  expect(await listChanges()).toBe(changesBefore);
}, 60_000);
