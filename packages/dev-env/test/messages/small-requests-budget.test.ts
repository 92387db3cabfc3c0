import { getOwnUser, setTypingStatus, subscribe, updatePresence } from '@parley/gateway/endpoints';
import { createFakeClock } from '@parley/shared/testing';
import { TestNetwork } from '../../src';
import { warmStatementsOf } from './warm-statements';

let network: TestNetwork;
beforeAll(async () => {
  // The clock stands still: the services' periodic tasks do not count.
  network = await TestNetwork.create({ clock: createFakeClock() });
});
afterAll(() => network.stop());

const typing = { type: 'direct', op: 'start' } as const;

const statementsOf = (request: () => Promise<unknown>) => warmStatementsOf(network, request);

test('the most frequent requests cost few SQL statements in all services together', async () => {
  const { dan, eve } = network;
  await dan.call(subscribe, { subscriptions: [{ name: 'small' }], principals: [dan.userId, eve.userId] });
  expect(await statementsOf(() => dan.call(getOwnUser, {}))).toBe(2);
  expect(await statementsOf(() => dan.call(updatePresence, { status: 'active', ping_only: true }))).toBe(2);
  expect(await statementsOf(() => dan.call(updatePresence, { status: 'active', last_update_id: 1 }))).toBe(3);
  expect(await statementsOf(() => dan.call(setTypingStatus, { ...typing, to: [eve.userId] }))).toBe(1);
});
