import { type Bus, connectBus } from '@parley/shared/bus';
import {
  type ClientView,
  type EditTypingReported,
  editTypingReported,
  type TypingReported,
  typingReported,
} from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { silentLogger } from '@parley/shared/service';
import { createFakeClock, testServers } from '@parley/shared/testing';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, startMessages, toChannel, toUsers } from '../../test/start-messages';

const clock = createFakeClock();
let network: MessagesUnderTest;
let bus: Bus;
let ann: User;
let bob: User;
let cem: User;
let kitchen: PeerChannel;

beforeAll(async () => {
  network = await startMessages({ clock });
  bus = await connectBus({ url: testServers().natsUrl, prefix: network.prefix, name: 'test', log: silentLogger });
  const { realm } = network;
  [ann, bob, cem] = [realm.addUser('Ann'), realm.addUser('Bob'), realm.addUser('Cem')];
  kitchen = realm.addChannel('kitchen');
  realm.subscribe(kitchen, ann, bob, cem);
});
beforeEach(() => network.realm.settings.clear());
afterAll(async () => {
  await bus.connection.close();
  await network.stop();
});

const inTopic = (topic: string, channelId = kitchen.id) => ({ inTopic: { channelId, topic }, recipientIds: [] });
const among = (...recipientIds: number[]) => ({ inTopic: null, recipientIds });
const type = (user: User, target: ReturnType<typeof inTopic> | ReturnType<typeof among>, isTyping = true) =>
  network.client.reportTyping(callerOf(user), { isTyping, ...target });
const editing = (user: User, messageId: number, isTyping = true) =>
  network.client.reportEditTyping(callerOf(user), { messageId, isTyping });

/** The events announced during a run. */
async function announced<Payload>({ kind }: { kind: string }, run: () => Promise<unknown>): Promise<Payload[]> {
  const heard: Payload[] = [];
  const subscription = bus.connection.subscribe(bus.subjectOfAll(kind), {
    callback: (_error, message) => heard.push(...(message.json<{ payloads: Payload[] }>().payloads ?? [])),
  });
  await bus.connection.flush();
  await run();
  await bus.connection.flush();
  subscription.unsubscribe();
  return heard;
}
const announcedTyping = (run: () => Promise<unknown>) => announced<TypingReported>(typingReported, run);

describe('typing a direct message', () => {
  test('is announced to all recipients and the sender', async () => {
    const [event] = await announcedTyping(() => type(ann, among(bob.id)));
    const people = [ann, bob].map(({ id, email }) => ({ id, email }));
    expect(event).toEqual({
      isTyping: true,
      sender: people[0],
      to: { recipients: people },
      audience: { to: 'users', userIds: [ann.id, bob.id] },
    });
  });

  test('leaves out users who disabled the notifications, and deactivated users', async () => {
    const gone = network.realm.addUser('Gone', { isActive: false });
    network.realm.settings.set(bob.id, { receives_typing_notifications: false });
    const [event] = await announcedTyping(() => type(ann, among(bob.id, cem.id, gone.id), false));
    expect(event).toMatchObject({ isTyping: false, audience: { userIds: [ann.id, cem.id] } });
    // They are still in the conversation.
    expect(event?.to).toHaveProperty('recipients.length', 4);
  });

  test('is refused', async () => {
    await expect(type(ann, among())).rejects.toThrow("Empty 'to' list");
    await expect(type(ann, among(bob.id, 4_000))).rejects.toThrow('Invalid user ID 4000');
    await expect(type(ann, among(...Array.from({ length: 301 }, (_, id) => id)))).rejects.toThrow(
      'Too many recipients',
    );
    network.realm.directRights.areRecipientsKnown = false;
    await expect(type(ann, among(bob.id))).rejects.toThrow('You do not have permission to access some');
    network.realm.directRights.areRecipientsKnown = true;
    network.realm.settings.set(ann.id, { send_private_typing_notifications: false });
    await expect(type(ann, among(4_000))).rejects.toThrow('User has disabled typing notifications for direct messages');
    await type(ann, inTopic('x'));
  });
});

describe('typing in a channel', () => {
  test('is announced to its subscribers, except those who disabled the notifications', async () => {
    network.realm.settings.set(cem.id, { receives_typing_notifications: false });
    const [event] = await announcedTyping(() => type(ann, inTopic(' general chat ')));
    const { id: channelId, subscriptionVersion: version } = kitchen;
    expect(event).toMatchObject({
      to: { channelId, topic: '' },
      audience: { to: 'subscribers', channelId, version, isPublic: false, exceptIds: [cem.id] },
    });
  });

  test('is not announced in channels with more than a hundred subscribers', async () => {
    const [square, hall] = [100, 101].map((subscriberCount) =>
      network.realm.addChannel(`of ${subscriberCount}`, { subscriberCount }),
    ) as [PeerChannel, PeerChannel];
    expect(await announcedTyping(() => type(ann, inTopic('x', square.id)))).toHaveLength(1);
    expect(await announcedTyping(() => type(ann, inTopic('x', hall.id)))).toEqual([]);
  });

  test('is refused', async () => {
    const { realm } = network;
    const hidden = realm.addChannel('hidden', { isPrivate: true });
    const archived = realm.addChannel('archived', { isArchived: true });
    for (const { id } of [hidden, archived, { id: 4_000 }]) {
      await expect(type(ann, inTopic('x', id))).rejects.toThrow('Invalid channel ID');
    }
    realm.subscribe(hidden, bob);
    const robo = realm.addUser('Robo', { isBot: true, botOwnerId: bob.id });
    await expect(type(robo, inTopic('x', hidden.id))).rejects.toThrow('Invalid channel ID');
    const notices = realm.addChannel('notices', { senderIds: [bob.id] });
    const refusal = 'You do not have permission to post in this channel.';
    await expect(type(ann, inTopic('x', notices.id))).rejects.toThrow(refusal);
    realm.settings.set(ann.id, { send_stream_typing_notifications: false });
    const off = 'User has disabled typing notifications for channel messages';
    await expect(type(ann, inTopic('x', hidden.id))).rejects.toThrow(off);
    await type(ann, among(bob.id));
  });
});

describe('editing', () => {
  const announcedEditing = (run: () => Promise<unknown>) => announced<EditTypingReported>(editTypingReported, run);
  const send = async (request: ReturnType<typeof toChannel>) =>
    (await network.client.sendMessage(callerOf(ann), request)).messageId;

  test('is announced to users who have the message', async () => {
    const [inKitchen, direct] = [await send(toChannel(kitchen.id, 'lunch', 'hi')), await send(toUsers([bob], 'hi'))];
    network.realm.settings.set(cem.id, { receives_typing_notifications: false });
    const report = { isTyping: true, senderId: ann.id };
    expect(await announcedEditing(() => editing(ann, inKitchen))).toMatchObject([
      {
        ...report,
        messageId: inKitchen,
        place: { channelId: kitchen.id, topic: 'lunch' },
        audience: { to: 'subscribers', channelId: kitchen.id, isPublic: false, exceptIds: [cem.id] },
      },
    ]);
    const participantIds = [ann.id, bob.id];
    expect(await announcedEditing(() => editing(ann, direct, false))).toEqual([
      {
        ...report,
        isTyping: false,
        messageId: direct,
        place: { participantIds },
        audience: { to: 'users', userIds: participantIds },
      },
    ]);
  });

  test('is refused to users who may not edit, without the slack of edits', async () => {
    const messageId = await send(toChannel(kitchen.id, 'lunch', 'hi'));
    await expect(editing(bob, messageId)).rejects.toThrow("You don't have permission to edit this message");
    await expect(editing(ann, 4_000_000)).rejects.toThrow('Invalid message(s)');
    network.realm.settings.set(ann.id, { send_stream_typing_notifications: false });
    const off = 'User has disabled typing notifications for channel messages';
    await expect(editing(ann, messageId)).rejects.toThrow(off);
    clock.advance(601 * 1000);
    await expect(editing(ann, messageId)).rejects.toThrow('The time limit for editing this message has passed');
  });
});

describe('clients', () => {
  const view: ClientView = {
    applyMarkdown: true,
    clientGravatar: true,
    isEmptyTopicUnderstood: false,
    capabilities: [],
  };
  const inChannels = { ...view, capabilities: ['stream_typing_notifications'] };
  const audience = { to: 'users', userIds: [] } as const;
  const sender = { id: 7, email: 'a@example.com' };

  test('get all events of direct messages, and of channels if they have the capability', () => {
    const [shape] = typingReported.publicShapes;
    const direct: TypingReported = { isTyping: true, sender, to: { recipients: [sender] }, audience };
    const inChannel: TypingReported = { isTyping: false, sender, to: { channelId: 3, topic: '' }, audience };
    expect([direct, inChannel].map((payload) => shape?.isFor?.(payload, view))).toEqual([true, false]);
    expect(shape?.isFor?.(inChannel, inChannels)).toBe(true);
    const user = { user_id: 7, email: 'a@example.com' };
    const event = { type: 'typing', sender: user };
    expect(shape?.render(direct, view)).toEqual({ ...event, op: 'start', message_type: 'direct', recipients: [user] });
    expect(shape?.render(inChannel, inChannels)).toEqual({
      ...event,
      op: 'stop',
      message_type: 'stream',
      stream_id: 3,
      topic: 'general chat',
    });
  });

  test('get events of edits likewise', () => {
    const [shape] = editTypingReported.publicShapes;
    const report = { isTyping: true, senderId: 7, messageId: 12, audience };
    const direct: EditTypingReported = { ...report, place: { participantIds: [7, 8] } };
    const inChannel: EditTypingReported = { ...report, place: { channelId: 3, topic: 'x' } };
    expect([direct, inChannel].map((payload) => shape?.isFor?.(payload, view))).toEqual([true, false]);
    const event = { type: 'typing_edit_message', op: 'start', sender_id: 7, message_id: 12 };
    expect(shape?.render(direct, view)).toEqual({ ...event, recipient: { type: 'direct', user_ids: [7, 8] } });
    expect(shape?.render(inChannel, inChannels)).toEqual({
      ...event,
      recipient: { type: 'channel', channel_id: 3, topic: 'x' },
    });
  });
});
