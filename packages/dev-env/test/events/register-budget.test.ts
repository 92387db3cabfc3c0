import { registerQueue } from '@parley/gateway/endpoints';
import { createFakeClock } from '@parley/shared/testing';
import { TestNetwork } from '../../src';
import { warmStatementsOf } from '../messages/warm-statements';

let network: TestNetwork;
beforeAll(async () => {
  // The clock stands still: the services' periodic tasks do not count.
  network = await TestNetwork.create({ clock: createFakeClock() });
});
afterAll(() => network.stop());

const statementsOf = (request: () => Promise<unknown>) => warmStatementsOf(network, request);

test('a registration costs few SQL statements in all services together, one in those of which nothing is fetched', async () => {
  const { dan } = network;
  expect(await statementsOf(() => dan.call(registerQueue, { include_subscribers: 'true' }))).toBe(15);
  expect(await statementsOf(() => dan.call(registerQueue, { fetch_event_types: [] }))).toBe(5);
});
