import { sendMessage, subscribe } from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { createFakeClock } from '@parley/shared/testing';
import { TestNetwork } from '../../src';

const BUDGET = 6;
/** Of all services, to decide and store who is told of a message: one in messages, two in realm, a transaction in the scheduler. */
const TELLING_BUDGET = 9;
const MANY = 10_000;
/** Some of those who were ever in the filled channel have left it. */
const FILLED_USERS = 11_000;

let network: TestNetwork;
beforeAll(async () => {
  // The clock stands still: the services' periodic tasks do not count.
  network = await TestNetwork.create({ clock: createFakeClock() });
});
afterAll(() => network.stop());

/** Statements of all services together while a message is sent and delivered; the scheduler tells nobody meanwhile. */
async function statementsOfSending(channel: string): Promise<number> {
  const [scheduler] = network.replicas.scheduler;
  const queue = await network.eve.events({ event_types: ['message'] });
  await scheduler?.stop();
  const before = network.statementCount();
  await send(channel);
  await queue.next('message');
  const count = network.statementCount() - before;
  await scheduler?.start();
  return count;
}

/** The same, until who is to be told of the message is stored. */
async function statementsOfTelling(channel: string): Promise<number> {
  await network.settle();
  const before = network.statementCount();
  await send(channel);
  await network.settle();
  return network.statementCount() - before;
}

const send = (channel: string) =>
  network.dan.call(sendMessage, { type: 'channel', to: channel, topic: 'budget', content: 'Hello @**Eve Castillo**' });

/** The name of a channel that a whole organization is in. */
async function fillLargeChannel(): Promise<string> {
  const { realmService, dan, eve } = network;
  const size = { users: FILLED_USERS, channels: 1, subscriptionsPerUser: 1, groups: 0, seed: 1 };
  await realmService.fillRealm(newCall(undefined, 60_000), { subdomain: '', ...size });
  const [channel] = await network
    .database('realm')
    .query<{ name: string; count: number }>(
      'select name, subscriber_count as count from channel order by subscriber_count desc limit 1',
    );
  expect(channel?.count).toBeGreaterThan(MANY);
  const principals = [dan.userId, eve.userId];
  await dan.call(subscribe, { subscriptions: [{ name: channel?.name as string }], principals });
  return channel?.name as string;
}

/** How often lists in POST /register have changed: triggers count that, and their statements are not logged. */
async function listChanges(): Promise<number> {
  const [row] = await network.database('realm').query<{ sum: string }>('select sum(changes) as sum from list_change');
  return Number(row?.sum);
}

test(`a send costs at most ${BUDGET} SQL statements in all services together, and who is told costs no more, for few subscribers or ${MANY}`, async () => {
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
  const told = await statementsOfTelling('small');
  expect(told - small).toBeGreaterThan(0);
  expect(told - small).toBeLessThanOrEqual(TELLING_BUDGET);
  expect(await statementsOfTelling(largeChannel)).toBe(told);
}, 60_000);
