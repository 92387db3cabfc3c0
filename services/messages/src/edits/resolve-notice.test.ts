import type { User } from '@parley/shared/proto';
import { createEditWorld, type EditWorld } from '../../test/edit-world';
import { callerOf } from '../../test/start-messages';
import { isUndoneBy, unreadForIds } from './move-notices';

const BOT_ID = 9;
const ACTOR_ID = 1;
let world: EditWorld;

beforeAll(async () => {
  world = await createEditWorld();
});
beforeEach(() => world.network.realm.settings.clear());
afterAll(() => world.network.stop());

test.each([
  ['the opposite, a minute ago', 'Ann has marked this topic as resolved.', BOT_ID, 60_000, true],
  ['longer ago', 'Ann has marked this topic as resolved.', BOT_ID, 60_001, false],
  ['the same', 'Ann has marked this topic as unresolved.', BOT_ID, 0, false],
  ['what somebody wrote', 'Ann has marked this topic as resolved.', 5, 0, false],
])('a topic that is taken up again loses its notice: %s', (_title, content, senderId, ageMs, isUndone) => {
  expect(isUndoneBy({ senderId, content, sentAtMs: 0 }, 'unresolved', BOT_ID, ageMs)).toBe(isUndone);
});

test('a notice starts unread for users with the setting "never", and for followers unless "always"', () => {
  const policies = [
    { userId: ACTOR_ID, policy: 3 },
    { userId: 2, policy: 3 },
    { userId: 3, policy: 3 },
    { userId: 4, policy: 2 },
  ];
  const choices = { alwaysReadIds: [3], neverReadIds: [ACTOR_ID, 5] };
  expect(unreadForIds(choices, policies, ACTOR_ID).sort()).toEqual([2, 5]);
  expect(unreadForIds(null, policies, ACTOR_ID)).toEqual([2, 3]);
});

async function follow(user: User, topic: string): Promise<void> {
  const change = { channelId: world.lobby.id, topic, policy: 3 };
  await world.network.client.setTopicPolicy(callerOf(user), change);
}

async function resolve(topic: string, notify?: () => Promise<unknown>): Promise<number> {
  const { ann, bob, lobby } = world;
  const id = await world.send(bob, lobby, topic);
  await notify?.();
  await world.events();
  await world.edit(ann, id, { topic: `✔ ${topic}`, propagateMode: 'change_all' });
  return (await world.inTopic(ann, lobby, `✔ ${topic}`)).at(-1)?.id as number;
}

const hasRead = async (user: User, messageId: number) => (await world.read(user, messageId)).flags.includes('read');

async function isAmongUnread(user: User, messageId: number): Promise<boolean> {
  const wanted = { includesUnread: true, includesStarred: false, includesRecentDirects: false };
  const { unread } = await world.network.client.getMessageState(callerOf(user), wanted);
  return unread?.topics.some(({ messageIds }) => messageIds.includes(messageId)) === true;
}

test('whether the notice of a resolved topic starts as read follows from the setting and the topic policy', async () => {
  const { ann, bob, mod, ada, network } = world;
  network.realm.settings.set(mod.id, { resolved_topic_notice_auto_read_policy: 'never' });
  network.realm.settings.set(ada.id, { resolved_topic_notice_auto_read_policy: 'always' });
  // Bob follows it because he started it.
  const noticeId = await resolve('who reads', () => follow(ada, 'who reads'));
  const read = { ann: await hasRead(ann, noticeId), bob: await hasRead(bob, noticeId) };
  expect({ ...read, mod: await hasRead(mod, noticeId), ada: await hasRead(ada, noticeId) }).toEqual({
    ann: true,
    bob: false,
    mod: false,
    ada: true,
  });
  expect([await isAmongUnread(mod, noticeId), await isAmongUnread(ada, noticeId)]).toEqual([true, false]);
  const sent = (await world.events()).find(({ kind }) => kind === 'message.sent');
  expect(sent?.payload.unreadForIds).toEqual(expect.arrayContaining([bob.id, mod.id]));
  expect(sent?.payload.unreadForIds).toHaveLength(2);
});

test('a notice that very many would have unread is unread for everybody', async () => {
  const { bob, gus, network } = world;
  const others = Array.from({ length: 201 }, (_, index) => 10_000 + index);
  for (const id of others) {
    network.realm.addUser(`Extra ${id}`, { id });
    network.realm.settings.set(id, { resolved_topic_notice_auto_read_policy: 'never' });
  }
  const noticeId = await resolve('too many');
  expect([await hasRead(bob, noticeId), await hasRead(gus, noticeId)]).toEqual([false, false]);
});
