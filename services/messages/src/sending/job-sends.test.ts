import type { SendMessageRequest, User } from '@parley/shared/proto';
import { createFakeClock } from '@parley/shared/testing';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, startMessages, toChannel, toUsers } from '../../test/start-messages';

const clock = createFakeClock();
let network: MessagesUnderTest;
let ann: User;
let bob: User;
let gone: User;
let lobby: PeerChannel;

beforeAll(async () => {
  network = await startMessages({ clock });
  const { realm } = network;
  [ann, bob, gone] = [realm.addUser('Ann'), realm.addUser('Bob'), realm.addUser('Gone', { isActive: false })];
  lobby = realm.addChannel('Lobby');
});

afterAll(() => network.stop());

const send = (user: User, over: Partial<SendMessageRequest>) =>
  network.client.sendMessage(callerOf(user), { ...toChannel(lobby.id, 'x', 'Soup?'), ...over });
const check = (user: User, message: SendMessageRequest) =>
  network.client.checkMessage(callerOf(user), { message, keepsUploadsUntilMs: 0 });
const countMessages = async () => (await network.service.db.query('select from message')).length;

describe('a message of a job', () => {
  test('is sent once, and found to be sent when it is too late', async () => {
    const notAfterMs = clock.now() + 1_000;
    const first = await send(ann, { jobKey: 'test:1', notAfterMs });
    clock.advance(2_000);
    expect(await send(ann, { jobKey: 'test:1', notAfterMs })).toEqual(first);
    await expect(send(ann, { jobKey: 'test:2', notAfterMs })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'Message could not be sent at the scheduled time.',
    });
  });

  test('does not share keys with clients', async () => {
    const { messageId } = await send(ann, { jobKey: 'test:3' });
    expect((await send(ann, { idempotencyKey: 'test:3' })).messageId).not.toBe(messageId);
  });

  test('is not sent for a deactivated user', async () => {
    await expect(send(gone, { jobKey: 'test:4' })).rejects.toMatchObject({ code: 'USER_DEACTIVATED' });
  });
});

describe('a message that is only checked', () => {
  test('is answered as it would be sent, and not sent', async () => {
    const before = await countMessages();
    expect(await check(ann, toChannel(lobby.id, ' lunch ', '\n*Soup*? '))).toEqual({
      content: '*Soup*?',
      renderedContent: '<p><em>Soup</em>?</p>',
      channelId: lobby.id,
      topic: 'lunch',
      participantIds: [],
    });
    expect(await check(ann, toUsers([bob, bob], 'x'))).toMatchObject({ participantIds: [ann.id, bob.id] });
    expect(await countMessages()).toBe(before);
  });

  test('is refused like one that is sent', async () => {
    await expect(check(ann, toChannel(99_999, 'x', 'x'))).rejects.toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
    await expect(check(ann, toUsers([gone], 'x'))).rejects.toMatchObject({ message: /is no longer using/ });
    await expect(check(ann, toChannel(lobby.id, 'x', ' '))).rejects.toMatchObject({
      message: 'Message must not be empty',
    });
  });
});
