import { registerQueue } from '@parley/gateway/endpoints';
import { createFakeClock } from '@parley/shared/testing';
import { TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  // The clock stands still: the services' periodic tasks do not count.
  network = await TestNetwork.create({ clock: createFakeClock() });
});
afterAll(() => network.stop());

/** Statements of all services together, transaction control included; the lists that people share are cached. */
async function statementsOf(request: () => Promise<unknown>): Promise<number> {
  for (let round = 0; round < 2; round += 1) await request();
  await network.settle();
  const before = network.statementCount();
  await request();
  return network.statementCount() - before;
}

test('a registration costs few SQL statements in all services together, one in those of which nothing is fetched', async () => {
  const { dan } = network;
  expect(await statementsOf(() => dan.call(registerQueue, { include_subscribers: 'true' }))).toBe(17);
  expect(await statementsOf(() => dan.call(registerQueue, { fetch_event_types: [] }))).toBe(5);
});
