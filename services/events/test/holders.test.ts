import type { Audience, MessageEdited } from '@parley/shared/events';
import { CHANNEL, channelMessage, edit, REALM, subscriber, subscriptionChange } from './eg';
import { Network, type Pod, type TestQueue } from './network';

let network: Network;
let pod: Pod;

const OTHER_CHANNEL = 11;
const [STAYED, LEFT, LEFT_GUEST, NEVER_CAME] = [1, 2, 3, 4];
const USERS = [STAYED, LEFT, LEFT_GUEST, NEVER_CAME];

/** At version 1 all but the last were in the channel, at version 2 only the first. */
beforeEach(async () => {
  network = await new Network().start();
  const left = [LEFT, LEFT_GUEST].map((userId) => subscriber(userId, 1, 2));
  network.realm.knows(REALM, CHANNEL, 2, [subscriber(STAYED, 1), ...left]);
  network.realm.knowsAttention(LEFT_GUEST, { isGuest: true });
  pod = await network.startPod();
});
afterEach(() => network.stop());

const inPublic = (fields: Partial<Extract<Audience, { to: 'subscribers' }>> = {}): Audience => ({
  to: 'subscribers',
  channelId: CHANNEL,
  version: 2,
  isPublic: true,
  heldAt: [{ channelId: CHANNEL, versions: [1] }],
  ...fields,
});
const sentAt = (version: number) => ({ channelId: CHANNEL, version });

/** The users whose queues get the edit, in pending and in later polls, and their flags. */
async function whoHears(fields: Partial<MessageEdited>): Promise<Record<number, string[]>> {
  const registerAll = () => Promise.all(USERS.map((userId) => pod.register(userId)));
  const [waiting, later] = [await registerAll(), await registerAll()];
  const answers = waiting.map((queue) => pod.poll(queue));
  await pod.parked(USERS.length);
  await network.publish('message.edited', [edit(fields)]);
  await network.publish('message.edited', [edit({ messageId: 99, audience: { to: 'users', userIds: USERS } })]);
  const first = await Promise.all(answers);
  const collected = await Promise.all(later.map((queue) => pod.drain(queue)));
  const heard = (all: { [member: string]: unknown }[][]) =>
    Object.fromEntries(
      all.flatMap(([event], index) => (event?.['message_id'] === 99 ? [] : [[USERS[index], event?.['flags']]])),
    );
  expect(heard(collected)).toEqual(heard(first));
  return heard(collected);
}

describe('a user who left a public channel and has a message of it', () => {
  test('gets an edit with flags like a subscriber, but as read; guests get none', async () => {
    network.messages.knowsFlags(LEFT, 7, { isStarred: true });
    const audience = inPublic({ receivedAt: [sentAt(1)] });
    expect(await whoHears({ audience, mentionedIds: [LEFT] })).toEqual({
      [STAYED]: [],
      [LEFT]: ['read', 'starred', 'mentioned'],
    });
  });

  test('gets no edits of later messages', async () => {
    const heldAt = [{ channelId: CHANNEL, versions: [2] }];
    expect(Object.keys(await whoHears({ audience: inPublic({ heldAt }) }))).toEqual([`${STAYED}`]);
  });

  test('gets an edit after the message was moved there from another channel', async () => {
    network.realm.knows(REALM, OTHER_CHANNEL, 5, [subscriber(NEVER_CAME, 3, 4)]);
    const audience = inPublic({ heldAt: [{ channelId: OTHER_CHANNEL, versions: [2, 3] }] });
    expect(Object.keys(await whoHears({ audience }))).toEqual([`${STAYED}`, `${NEVER_CAME}`]);
  });

  test('gets an edit as a guest, where guests may read the channel', async () => {
    const heard = await whoHears({ audience: inPublic({ isOpenToGuests: true }) });
    expect(Object.keys(heard)).toEqual([STAYED, LEFT, LEFT_GUEST].map(String));
  });
});

test('a user who left a private channel gets no edits of its messages', async () => {
  const audience: Audience = { to: 'subscribers', channelId: CHANNEL, version: 2, isPublic: false };
  expect(Object.keys(await whoHears({ audience }))).toEqual([`${STAYED}`]);
});

test('a user who leaves while they wait gets edits of messages they have, and no new message', async () => {
  network.realm.knows(REALM, CHANNEL, 2, [subscriber(STAYED, 1), subscriber(NEVER_CAME, 1)]);
  const fresh = await network.startPod();
  const queue = await fresh.register(NEVER_CAME);
  await network.publishMessages(channelMessage({ subscriptionVersion: 2 }));
  expect(await fresh.drain(queue)).toHaveLength(1);
  await network.publishChange(subscriptionChange({ version: 3, unsubscribedIds: [NEVER_CAME] }));
  await network.publishMessages(channelMessage({ subscriptionVersion: 3 }));
  const heldAt = [{ channelId: CHANNEL, versions: [2] }];
  await network.publish('message.edited', [edit({ audience: inPublic({ version: 3, heldAt }) })]);
  expect((await fresh.drain(queue)).map(({ type }) => type)).toEqual(['update_message']);
});

test('a changed role applies from the next event on', async () => {
  const roleOf = (userId: number, role: number) =>
    network.publish('user.role-changed', [{ userId, role, audience: { to: 'realm' }, endsQueues: 'none' }]);
  const queues: TestQueue[] = [await pod.register(LEFT), await pod.register(LEFT_GUEST)];
  const types = () => Promise.all(queues.map(async (queue) => (await pod.drain(queue)).map(({ type }) => type)));
  await network.publish('message.edited', [edit({ audience: inPublic() })]);
  expect(await types()).toEqual([['update_message'], []]);
  await roleOf(LEFT, 600);
  await roleOf(LEFT_GUEST, 400);
  await types();
  await network.publish('message.edited', [edit({ audience: inPublic() })]);
  expect(await types()).toEqual([[], ['update_message']]);
});
