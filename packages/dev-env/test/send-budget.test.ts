import { sendMessage, subscribe } from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { TestNetwork } from '../src';

const BUDGET = 6;
const MANY = 100;

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
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

async function createMembers(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const member = { subdomain: '', email: `m${index}@example.com`, fullName: `Member ${index}`, role: 400 };
    ids.push((await network.realmService.createUser(newCall(), member)).userId);
  }
  return ids;
}

test(`a send costs at most ${BUDGET} SQL statements in all services together, for few subscribers or many`, async () => {
  const { dan, eve } = network;
  await dan.call(subscribe, { subscriptions: [{ name: 'small' }], principals: [dan.userId, eve.userId] });
  await dan.call(subscribe, {
    subscriptions: [{ name: 'large' }],
    principals: [dan.userId, ...(await createMembers(MANY))],
  });
  await statementsOfSending('small');
  await statementsOfSending('large');
  const small = await statementsOfSending('small');
  const large = await statementsOfSending('large');
  expect(small).toBeGreaterThan(0);
  expect(small).toBeLessThanOrEqual(BUDGET);
  expect(large).toBe(small);
}, 60_000);
