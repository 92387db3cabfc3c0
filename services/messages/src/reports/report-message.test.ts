import { type MessageSent, messageSent } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { createFakeClock } from '@parley/shared/testing';
import { NO_CHANNEL } from '@parley/shared/values';
import { editRequest } from '../../test/edit-world';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, startMessages, toChannel, toUsers } from '../../test/start-messages';

const clock = createFakeClock();
let network: MessagesUnderTest;
let bot: User;
let ann: User;
let bob: User;
let lobby: PeerChannel;
let secret: PeerChannel;
let moderation: PeerChannel;

beforeAll(async () => {
  network = await startMessages({ clock });
  const { realm } = network;
  bot = realm.addUser('Notification Bot', { isBot: true, botType: 1, isSystemBot: true });
  [ann, bob] = [realm.addUser('Ann'), realm.addUser('Bob')];
  lobby = realm.addChannel('Lobby');
  secret = realm.addChannel('Secret', { isPrivate: true });
  moderation = realm.addChannel('Moderation', { isPrivate: true });
  realm.subscribe(lobby, ann, bob);
  realm.subscribe(secret, bob);
});
beforeEach(() => {
  moderateIn(moderation.id);
});
afterAll(() => network.stop());

function moderateIn(channelId: number): void {
  network.realm.realm.settings = JSON.stringify({ moderation_request_channel_id: channelId });
}

async function send(request: ReturnType<typeof toChannel>): Promise<number> {
  return (await network.client.sendMessage(callerOf(bob), request)).messageId;
}

const report = (messageId: number, reportType = 'spam', description = '') =>
  network.client.reportMessage(callerOf(ann), { messageId, reportType, description });

/** The next message to the moderators, once it is sent. */
async function notices(count: number): Promise<MessageSent[]> {
  for (;;) {
    const rows = await network.service.db.query<{ payload: string }>(
      'select payload from outbox where kind = $1 order by id',
      [messageSent.kind],
    );
    const sent = rows
      .map(({ payload }) => JSON.parse(payload) as MessageSent)
      .filter(({ message }) => message.channelId === moderation.id);
    if (sent.length >= count) return sent;
  }
}

test('the moderators get the reporter, the message, its sender and the reason', async () => {
  const messageId = await send(toChannel(lobby.id, 'Lunch & more', 'Buy **now**!\n@**Ann**'));
  await report(messageId, 'other', 'Again.\n> and again');
  const [sent] = await notices(1);
  expect(sent?.message).toMatchObject({
    sender: { id: bot.id },
    topic: 'Bob’s moderation requests',
    content: [
      `@_**Ann|${ann.id}** reported [a message](/#narrow/channel/${lobby.id}-Lobby/topic/Lunch.20.26.20more/near/${messageId}) sent by @_**Bob|${bob.id}**.`,
      '- Reason: **Other reason**',
      '',
      'Notes:',
      '````quote',
      'Again.',
      '> and again',
      '````',
      '',
      'The message:',
      '````quote',
      'Buy **now**!',
      '@**Ann**',
      '````',
    ].join('\n'),
  });
  expect(sent?.mentionedIds).toEqual([]);
});

test('a direct message may be reported by its receivers, with its source text', async () => {
  const messageId = await send(toUsers([ann], '```\ncode'));
  await report(messageId, 'norms');
  const { message } = (await notices(2)).at(-1) as MessageSent;
  expect(message.content).toContain(`reported a direct message sent by @_**Bob|${bob.id}**.`);
  expect(message.content).toContain(
    '- Reason: **Violates community norms**\n\nThe message:\n````text\n```\ncode\n````',
  );
});

test('a moved message may be reported by users who got it by the move', async () => {
  const { realm, client } = network;
  const cellar = realm.addChannel('Cellar', { isPrivate: true, isHistoryPublic: false });
  const carl = realm.addUser('Carl');
  realm.subscribe(cellar, bob, carl);
  const messageId = await send(toChannel(secret.id, 'x', 'moved'));
  await client.editMessage(callerOf(bob), editRequest(messageId, { channelId: cellar.id }));
  const dana = realm.addUser('Dana');
  realm.subscribe(cellar, dana);
  await client.reportMessage(callerOf(carl), { messageId, reportType: 'spam', description: '' });
  await expect(
    client.reportMessage(callerOf(dana), { messageId, reportType: 'spam', description: '' }),
  ).rejects.toThrow('Invalid message(s)');
});

test.each<[string, () => Promise<unknown>, string]>([
  [
    'without a channel to report to, whatever else is wrong',
    () => {
      moderateIn(NO_CHANNEL);
      return report(999, 'other');
    },
    'Moderation request channel must be specified to enable message reporting.',
  ],
  ['for another reason without an explanation', () => report(999, 'other'), 'An explanation must be provided.'],
  [
    'at too great a length',
    () => report(999, 'spam', 'x'.repeat(1_001)),
    'description is too long (limit: 1000 characters)',
  ],
  ['of a message that is not there', () => report(999), 'Invalid message(s)'],
  [
    'of a message that may not be read',
    async () => report(await send(toChannel(secret.id, 'x', 'hidden'))),
    'Invalid message(s)',
  ],
])('a report is refused %s', async (_name, attempt, message) => {
  await expect(attempt()).rejects.toMatchObject({ message, code: 'BAD_REQUEST', httpStatus: 400 });
});
