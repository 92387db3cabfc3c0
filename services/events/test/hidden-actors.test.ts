import type { Audience, ReactionChanged, TypingReported, UserCreated } from '@parley/shared/events';
import { CHANNEL, channelMessage, directMessage, OTHER_REALM, REALM, subscriber, user } from './eg';
import { Network, type Pod, type TestQueue } from './network';

let network: Network;
let pod: Pod;

const GUEST = 2;
const STRANGER = 1;
const UNKNOWN = { sender_id: STRANGER, sender_full_name: 'Unknown user', sender_email: 'user1@hidden.invalid' };
const KNOWN = { sender_id: STRANGER, sender_full_name: 'User 1', sender_email: 'user1@example.com' };

beforeEach(async () => {
  network = await new Network().start();
  pod = await network.startPod();
  network.realm.knows(REALM, CHANNEL, 1, [subscriber(GUEST, 1), subscriber(3, 1)]);
  network.realm.knowsAttention(GUEST, { isRestricted: true, knownUserIds: [GUEST, 3] });
});
afterEach(() => network.stop());

const messagesOf = async (queue: TestQueue) => (await pod.drain(queue)).map(({ message }) => message);
const register = (userId: number) => pod.register(userId, { hasEventTypes: true, eventTypes: ['message', 'reaction'] });

describe('for a guest without access to a user', () => {
  test('the sender of a channel message is hidden, on waiting and later polls, and others see it', async () => {
    const [waiting, later, member] = [await register(GUEST), await register(GUEST), await register(3)];
    const answer = pod.poll(waiting);
    await pod.parked(1);
    await network.publishMessages(channelMessage());
    expect((await answer)[0]?.message).toMatchObject(UNKNOWN);
    expect(await messagesOf(later)).toMatchObject([UNKNOWN]);
    expect(await messagesOf(member)).toMatchObject([KNOWN]);
  });

  test('a narrow by sender does not reveal it: it matches the name that the guest sees', async () => {
    const narrowed = (email: string, userId = GUEST) =>
      pod.register(userId, { narrow: [{ operator: 'sender', operand: email }] });
    const [byName, asShown] = [await narrowed(KNOWN.sender_email), await narrowed(UNKNOWN.sender_email)];
    const member = await narrowed(KNOWN.sender_email, 3);
    await network.publishMessages(channelMessage());
    expect(await messagesOf(byName)).toEqual([]);
    expect(await messagesOf(asShown)).toMatchObject([UNKNOWN]);
    expect(await messagesOf(member)).toMatchObject([KNOWN]);
  });

  test('the user of a reaction is hidden', async () => {
    const queue = await register(GUEST);
    const reaction = { userId: STRANGER, emojiName: 'tada', emojiCode: '1f389', reactionType: 'unicode_emoji' };
    const changed: ReactionChanged = {
      messageId: 7,
      reaction,
      user: user(STRANGER),
      audience: { to: 'users', userIds: [GUEST] },
    };
    await network.publish('reaction.added', [changed]);
    const [event] = await pod.drain(queue);
    expect(event).toMatchObject({ user_id: STRANGER, user: { user_id: STRANGER, full_name: 'Unknown user' } });
  });

  test('a user who types in a channel is hidden', async () => {
    const queue = await pod.register(GUEST, { capabilities: ['stream_typing_notifications'] });
    const typing: TypingReported = {
      isTyping: true,
      sender: user(STRANGER),
      to: { channelId: CHANNEL, topic: 'x' },
      audience: { to: 'users', userIds: [GUEST] },
    };
    const answer = pod.poll(queue);
    await pod.parked(1);
    await network.publish('typing.reported', [typing]);
    expect(await answer).toMatchObject([{ sender: { user_id: STRANGER, email: UNKNOWN.sender_email } }]);
  });

  test('bots and senders of direct messages to the guest are not hidden', async () => {
    const queue = await register(GUEST);
    const { message, ...facts } = channelMessage();
    await network.publishMessages({ ...facts, message: { ...message, sender: { ...user(STRANGER), isBot: true } } });
    await network.publishMessages(directMessage([STRANGER, GUEST]));
    expect(await messagesOf(queue)).toMatchObject([KNOWN, KNOWN]);
  });
});

test('a user is visible while guest and user share a channel, and hidden again afterwards', async () => {
  const queue = await register(GUEST);
  const met = { user: user(STRANGER), seerIds: [], otherIds: [GUEST] };
  await network.publishMessages(channelMessage());
  expect(await messagesOf(queue)).toMatchObject([UNKNOWN]);
  await network.publish('user.met', [met]);
  await network.publishMessages(channelMessage());
  expect(await messagesOf(queue)).toMatchObject([KNOWN]);
  await network.publish('user.lost', [{ userId: STRANGER, guestIds: [GUEST] }]);
  await network.publishMessages(channelMessage());
  expect(await messagesOf(queue)).toMatchObject([UNKNOWN]);
});

test('a new user is visible to guests, except those listed as strangers', async () => {
  const [queue, away] = [await register(GUEST), await pod.register(GUEST, {}, OTHER_REALM)];
  await Promise.all([messagesOf(queue), pod.drain(away)]);
  const nobody: Audience = { to: 'users', userIds: [] };
  const created = (strangerIds: number[]): UserCreated => ({
    user: user(STRANGER),
    seers: nobody,
    others: nobody,
    strangerIds,
  });
  const heardAfter = async (strangerIds: number[], realmId = REALM) => {
    await network.publish('user.created', [created(strangerIds)], realmId);
    await network.publishMessages(channelMessage());
    return messagesOf(queue);
  };
  expect(await heardAfter([GUEST])).toMatchObject([UNKNOWN]);
  expect(await heardAfter([], OTHER_REALM)).toMatchObject([UNKNOWN]);
  expect(await heardAfter([3])).toMatchObject([KNOWN]);
});

test('guests whose restriction ends register again, and see everybody', async () => {
  await messagesOf(await register(GUEST));
  const parked = await register(GUEST);
  const answer = pod.poll(parked);
  await pod.parked(1);
  network.realm.knowsAttention(GUEST, {});
  await network.publish('guest-restriction.changed', [{ guestIds: [GUEST] }]);
  expect(await answer).toEqual([]);
  const queue = await register(GUEST);
  await network.publishMessages(channelMessage());
  expect(await messagesOf(queue)).toMatchObject([KNOWN]);
});

test('a guest who returns sees the users that are visible by now', async () => {
  const before = await register(GUEST);
  await network.publishMessages(channelMessage());
  expect(await messagesOf(before)).toMatchObject([UNKNOWN]);
  const gone = { userId: GUEST, isBot: false, audience: { to: 'realm' } as const, lostByIds: [], managerIds: [] };
  await network.publish('user.deactivated', [gone]);
  // A queue that begins before this event would end with it.
  await network.settle();
  network.realm.knowsAttention(GUEST, { isRestricted: true, knownUserIds: [GUEST, STRANGER] });
  const queue = await register(GUEST);
  await network.publishMessages(channelMessage());
  expect(await messagesOf(queue)).toMatchObject([KNOWN]);
});
