import type { NarrowTerm, User } from '@parley/shared/proto';
import { untilWaiting, untilWaitingOrEnded } from '@parley/shared/testing';
import { editRequest } from '../../test/edit-world';
import type { PeerChannel } from '../../test/realm-peer';
import {
  callerOf,
  getRequest,
  type MessagesUnderTest,
  startMessages,
  term,
  toChannel,
} from '../../test/start-messages';

let network: MessagesUnderTest;
let ann: User;
let bob: User;
let ada: User;
let channel: PeerChannel;

beforeAll(async () => {
  network = await startMessages();
  const { realm } = network;
  [ann, bob] = [realm.addUser('Ann'), realm.addUser('Bob')];
  ada = realm.addUser('Ada', { role: 200 });
  channel = realm.addChannel('Channel');
  realm.subscribe(channel, ann, bob, ada);
});
afterAll(() => network.stop());

async function send(content: string): Promise<number> {
  return (await network.client.sendMessage(callerOf(bob), toChannel(channel.id, 'x', content))).messageId;
}

async function unreadAmong(messageIds: number[]): Promise<number[]> {
  const { messages } = await network.client.getMessages(callerOf(ann), getRequest({ messageIds }));
  return messages.filter(({ flags }) => !flags.includes('read')).map(({ id }) => id);
}

/** The messages that Ann's newest event tells are read. */
async function announcedIds(): Promise<number[]> {
  const [row] = await network.service.db.query<{ payload: string }>(
    `select payload from outbox
     where kind = 'flags.changed' and payload::json->>'op' = 'add' and payload::json->>'userId' = $1 order by id desc limit 1`,
    [String(ann.id)],
  );
  return JSON.parse(row?.payload as string).messageIds;
}

test('a message that was moved to the channel from another one of the reader is read with it, and announced', async () => {
  const { realm, client } = network;
  const other = realm.addChannel('Other');
  realm.subscribe(other, ann, bob, ada);
  const { messageId } = await client.sendMessage(callerOf(bob), toChannel(other.id, 'x', 'Moves'));
  await client.editMessage(callerOf(ada), editRequest(messageId, { channelId: channel.id }));
  const sent = await send('Sent here');
  await client.markChannelAsRead(callerOf(ann), { channelId: channel.id });
  expect([await announcedIds(), await unreadAmong([messageId, sent])]).toEqual([[messageId, sent], []]);
});

// Finding reads this table, marking changes it.
test.each([
  [
    'channel',
    'channel_read_watermark',
    () => network.client.markChannelAsRead(callerOf(ann), { channelId: channel.id }),
  ],
  [
    'topic',
    'read_exception',
    () => network.client.markTopicAsRead(callerOf(ann), { channelId: channel.id, topic: 'x' }),
  ],
])(
  'what is sent after the unread messages of a %s were found, before they are marked, stays unread',
  async (_, table, mark) => {
    const { db } = network.service;
    const first = await send('First');
    const { marking, second } = await db.transaction(async (tx) => {
      await tx.query(`lock table ${table} in share mode`);
      const marking = mark();
      await untilWaiting(db, marking);
      return { marking, second: await send('Second') };
    });
    await marking;
    expect([await announcedIds(), await unreadAmong([first, second])]).toEqual([[first], [second]]);
    await mark();
    expect([await announcedIds(), await unreadAmong([first, second])]).toEqual([[second], []]);
  },
);

/** Resolves when the service has run some more statements, or the work has ended. */
async function untilWorked(work: Promise<unknown>, statements: number): Promise<void> {
  const { db } = network.service;
  const before = db.statementCount;
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  work.then(end, end);
  while (!hasEnded && db.statementCount < before + statements) await new Promise(setImmediate);
}

const markNarrow = (narrow: NarrowTerm[]) =>
  network.client.updateFlagsInNarrow(callerOf(ann), {
    ...{ anchor: 0, numBefore: 0, numAfter: 1_000, includeAnchor: true, narrow },
    ...{ op: 'add', flag: 'read' },
  });

test.each<[string, () => Promise<unknown>]>([
  ['the channel', () => network.client.markChannelAsRead(callerOf(ann), { channelId: channel.id })],
  ['all consecutive messages', () => markNarrow([])],
  ['consecutive messages of the channel', () => markNarrow([term('channel', { id: channel.id })])],
  ['all that is unread', () => markNarrow([term('is', { text: 'unread' })])],
])('a message with a lower id that is stored after others is read only if an event says so: %s', async (_, mark) => {
  const { db } = network.service;
  const slow = await network.startReplica();
  await send('First');
  await mark();
  const { marking, sending, quick } = await db.transaction(async (tx) => {
    await tx.query(`select from topic where channel_id = $1 and name = 'x' for update`, [channel.id]);
    const sending = slow.client.sendMessage(callerOf(bob), toChannel(channel.id, 'x', 'Slow'));
    await untilWaiting(db, sending);
    const quick = await network.client.sendMessage(callerOf(bob), toChannel(channel.id, 'y', 'Quick'));
    const marking = mark();
    await untilWorked(marking, 10);
    return { marking, sending, quick };
  });
  await marking;
  const ids = [(await sending).messageId, quick.messageId];
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
  const announced = await announcedIds();
  expect(await unreadAmong(ids)).toEqual(ids.filter((id) => !announced.includes(id)));
  expect(announced).toContain(quick.messageId);
  await slow.stop();
});

test.each<[string, () => Promise<unknown>]>([
  ['all', () => network.client.markChannelAsRead(callerOf(ann), { channelId: channel.id })],
  ['unread ones', () => markNarrow([term('channel', { id: channel.id }), term('is', { text: 'unread' })])],
])(
  'a message that is moved to a channel while messages there, %s, are marked as read stays unread',
  async (_, mark) => {
    const { client, realm, service } = network;
    const other = realm.addChannel(`Channel ${realm.channels.length}`);
    realm.subscribe(other, ann, bob, ada);
    const { messageId: moved } = await client.sendMessage(callerOf(bob), toChannel(other.id, 'x', 'Moved'));
    await mark();
    const marked = await send('Marked');
    const { marking, moving } = await service.db.transaction(async (tx) => {
      await tx.query('lock table channel_read_watermark in share mode');
      const marking = mark();
      await untilWaiting(service.db, marking);
      const moving = client.editMessage(callerOf(ada), editRequest(moved, { channelId: channel.id }));
      await untilWaitingOrEnded(service.db, moving, 2);
      return { marking, moving };
    });
    await Promise.all([marking, moving]);
    expect(await announcedIds()).toEqual([marked]);
    expect(await unreadAmong([moved, marked])).toEqual([moved]);
  },
);
