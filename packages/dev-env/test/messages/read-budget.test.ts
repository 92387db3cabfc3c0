import { getMessages, sendMessage, subscribe } from '@parley/gateway/endpoints';
import { createFakeClock } from '@parley/shared/testing';
import { TestNetwork } from '../../src';

const BUDGET = 5;

let network: TestNetwork;
beforeAll(async () => {
  // The clock stands still: the services' periodic tasks do not count.
  network = await TestNetwork.create({ clock: createFakeClock() });
});
afterAll(() => network.stop());

test(`a page of messages costs at most ${BUDGET} SQL statements in all services together`, async () => {
  const { dan, eve } = network;
  await dan.call(subscribe, { subscriptions: [{ name: 'read' }], principals: [dan.userId, eve.userId] });
  const { id } = await dan.call(sendMessage, { type: 'channel', to: 'read', topic: 'x', content: 'Hello' });
  const sent = { type: 'channel', to: 'read', topic: 'y', content: 'Hello' } as const;
  for (let count = 0; count < 3; count += 1) await dan.call(sendMessage, sent);
  const { messages } = await eve.call(getMessages, { anchor: String(id), num_before: 0, num_after: 0 });
  const channel = { operator: 'channel', operand: messages[0]?.stream_id as number };
  const statementsOf = async (narrow: { operator: string; operand: string | number }[]) => {
    await network.settle();
    const before = network.statementCount();
    const found = await eve.call(getMessages, { narrow, anchor: 'newest', num_before: 100, num_after: 0 });
    expect(found.messages.length).toBeGreaterThan(0);
    return network.statementCount() - before;
  };
  expect(await statementsOf([])).toBeLessThanOrEqual(BUDGET);
  expect(await statementsOf([channel])).toBeLessThanOrEqual(BUDGET);
  expect(await statementsOf([channel, { operator: 'topic', operand: 'x' }])).toBeLessThanOrEqual(BUDGET);
});
