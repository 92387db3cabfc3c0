import {
  createChannel,
  getMessages,
  listGroups,
  listSubscriptions,
  sendMessage,
  unsubscribe,
  updateRealm,
  updateUserSettings,
} from '@parley/gateway/endpoints';
import { type TestClient, TestNetwork } from '../../src';

const REPLICAS = 2;
/** Enough for each replica to have answered, and to have cached, the accounts. */
const TIMES = 3 * REPLICAS;

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create({ replicas: { messages: REPLICAS, realm: REPLICAS } });
});
afterAll(() => network.stop());

/** The names of the newest message's sender, from several requests. */
async function sendersShownTo(reader: TestClient): Promise<string[]> {
  const names: string[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const { messages } = await reader.call(getMessages, { anchor: 'newest', num_before: 1 });
    names.push(messages[0]?.sender_full_name as string);
  }
  return [...new Set(names)];
}

async function restrictGuests(): Promise<void> {
  const { user_groups: groups } = await network.iris.call(listGroups, {});
  const members = groups.find(({ name }) => name === 'role:members')?.id as number;
  await network.iris.call(updateRealm, { can_access_all_users_group: { new: members } });
}

test('a changed name is shown from the next request on, whichever replicas answer', async () => {
  const { dan, eve } = network;
  await dan.call(sendMessage, { type: 'direct', to: [eve.userId], content: 'Hello' });
  expect(await sendersShownTo(eve)).toEqual(['Dan Brooks']);
  for (const name of ['Daniel Brooks', 'Danny Brooks']) {
    await dan.call(updateUserSettings, { full_name: name } as never);
    expect(await sendersShownTo(eve)).toEqual([name]);
  }
});

test('cached senders are separate for guests who may not see the sender', async () => {
  const { dan, eve, faye } = network;
  const { subscriptions } = await faye.call(listSubscriptions, {});
  await faye.call(unsubscribe, { subscriptions: subscriptions.map(({ name }) => name) });
  await dan.call(createChannel, { name: 'lobby', subscribers: [dan.userId, eve.userId, faye.userId] });
  await eve.call(sendMessage, { type: 'channel', to: 'lobby', topic: 'x', content: 'Hello' });
  await eve.call(unsubscribe, { subscriptions: ['lobby'] });
  expect(await sendersShownTo(dan)).toEqual(['Eve Castillo']);
  expect(await sendersShownTo(faye)).toEqual(['Eve Castillo']);
  await restrictGuests();
  expect(await sendersShownTo(faye)).toEqual(['Unknown user']);
  expect(await sendersShownTo(dan)).toEqual(['Eve Castillo']);
});
