import type { User } from '@parley/shared/proto';
import { createFakeClock } from '@parley/shared/testing';
import { callerOf, type MessagesUnderTest, startMessages, toUsers } from '../../test/start-messages';

let network: MessagesUnderTest;
let ann: User;
let bob: User;
let eve: User;

beforeAll(async () => {
  network = await startMessages({ clock: createFakeClock() });
  const { realm } = network;
  [ann, bob, eve] = [realm.addUser('Ann'), realm.addUser('Bob'), realm.addUser('Eve')];
});
afterAll(() => network.stop());

const send = (from: User, ...to: User[]) => network.client.sendMessage(callerOf(from), toUsers(to, 'hi'));
const begun = async () => {
  const rows = await network.service.db.query<{ payload: string }>(
    `select payload from outbox where kind = 'direct-conversation.begun' order by id`,
  );
  return rows.map(({ payload }) => JSON.parse(payload));
};

test('the first message of a direct conversation announces it, from any participant; later ones do not', async () => {
  await send(ann, bob);
  await send(bob, ann);
  await Promise.all([send(eve, ann, bob), send(ann, eve, bob), send(bob, ann, eve)]);
  await send(ann, bob);
  expect(await begun()).toEqual([{ participantIds: [ann.id, bob.id] }, { participantIds: [ann.id, bob.id, eve.id] }]);
});
