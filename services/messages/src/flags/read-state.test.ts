import type { User } from '@parley/shared/proto';
import { untilWaiting } from '@parley/shared/testing';
import { editRequest } from '../../test/edit-world';
import type { PeerChannel } from '../../test/realm-peer';
import {
  callerOf,
  getRequest,
  type MessagesUnderTest,
  startMessages,
  term,
  toChannel,
  toUsers,
} from '../../test/start-messages';
import { whileMoving } from '../../test/while-moving';

let network: MessagesUnderTest;
let ann: User;
let bob: User;
let eve: User;
let channel: PeerChannel;

beforeAll(async () => {
  network = await startMessages();
  [ann, bob, eve] = [network.realm.addUser('Ann'), network.realm.addUser('Bob'), network.realm.addUser('Eve')];
});
beforeEach(() => {
  channel = network.realm.addChannel(`Channel ${network.realm.channels.length}`);
  network.realm.subscribe(channel, ann, bob);
});
afterAll(() => network.stop());

async function post(content: string, topic = 'x', sender = bob): Promise<number> {
  return (await network.client.sendMessage(callerOf(sender), toChannel(channel.id, topic, content))).messageId;
}

async function flagsOf(user: User, messageId: number): Promise<string[]> {
  const { messages } = await network.client.getMessages(callerOf(user), getRequest({ messageIds: [messageId] }));
  return messages[0]?.flags ?? ['absent'];
}

const update = (user: User, messageIds: number[], op: string, flag: string) =>
  network.client.updateFlags(callerOf(user), { messageIds, op, flag });

/** Payloads of all events announced so far. */
async function flagEvents(): Promise<Record<string, unknown>[]> {
  const rows = await network.service.db.query<{ payload: string }>(
    `select payload from outbox where kind = 'flags.changed' order by id`,
  );
  return rows.map(({ payload }) => JSON.parse(payload));
}

describe('flags of messages', () => {
  test.each([
    ['read', 'flip', "Invalid message flag operation: 'flip'"],
    ['mentioned', 'flip', "Flag not editable: 'mentioned'"],
    ['historical', 'add', "Flag not editable: 'historical'"],
    ['is_private', 'add', "Invalid flag: 'is_private'"],
    ['', 'flip', "Invalid flag: ''"],
  ])('%s, %s: %s', async (flag, op, message) => {
    await expect(update(ann, [1_000_000_000], op, flag)).rejects.toMatchObject({ code: 'BAD_REQUEST', message });
  });

  test('are each set once, and announced once', async () => {
    const [first, second] = [await post('1'), await post('2')];
    const before = (await flagEvents()).length;
    expect(await update(ann, [second, first, second], 'add', 'read')).toEqual({
      changedIds: [first, second],
      ignoredChannelIds: [],
    });
    expect((await update(ann, [first], 'add', 'read')).changedIds).toEqual([]);
    expect(await flagsOf(ann, first)).toEqual(['read']);
    expect((await flagEvents()).slice(before)).toEqual([
      { userId: ann.id, op: 'add', flag: 'read', messageIds: [first, second], isAll: false },
    ]);
  });

  test('tell where messages are that are unread again', async () => {
    const id = await post('hi @**Ann**', 'Lunch');
    const direct = (await network.client.sendMessage(callerOf(bob), toUsers([ann], 'psst'))).messageId;
    await update(ann, [id, direct], 'add', 'read');
    await update(ann, [id, direct], 'remove', 'read');
    expect((await flagEvents()).at(-1)).toMatchObject({
      op: 'remove',
      messageIds: [id, direct],
      details: [
        { messageId: id, kind: 'channel', channelId: channel.id, topic: 'Lunch', isMentioned: true, isMuted: false },
        { messageId: direct, kind: 'direct', otherUserIds: [bob.id], isMentioned: false },
      ],
    });
  });

  test('in a channel that the reader is not in are not taken off', async () => {
    const id = await post('public');
    expect(await update(eve, [id], 'remove', 'read')).toEqual({ changedIds: [], ignoredChannelIds: [channel.id] });
    expect(await flagsOf(eve, id)).toEqual(['read', 'historical']);
  });

  test('may be set on messages not received: a star, but no mark', async () => {
    const id = await post('before Eve');
    expect((await update(eve, [id], 'add', 'read')).changedIds).toEqual([]);
    expect((await update(eve, [id], 'add', 'starred')).changedIds).toEqual([id]);
    expect(await flagsOf(eve, id)).toEqual(['read', 'starred', 'historical']);
    const { starredIds } = await network.client.getMessageState(callerOf(eve), {
      includesUnread: false,
      includesStarred: true,
      includesRecentDirects: false,
    });
    expect(starredIds).toEqual([id]);
    await update(eve, [id], 'remove', 'starred');
    expect(await flagsOf(eve, id)).toEqual(['read', 'historical']);
  });

  test('history may be marked as unread by subscribers of the channel', async () => {
    const id = await post('before Eve');
    network.realm.subscribe(channel, eve);
    expect(await flagsOf(eve, id)).toEqual(['read', 'historical']);
    expect((await update(eve, [id], 'remove', 'read')).changedIds).toEqual([id]);
    expect(await flagsOf(eve, id)).toEqual(['historical']);
  });

  test.each(['starred', 'collapsed'])('%s: one message that the reader may not see refuses all', async (flag) => {
    const [secret, id] = [await post('seen'), await post('seen too')];
    channel.isPrivate = true;
    await expect(update(eve, [id, secret], 'add', flag)).rejects.toMatchObject({ message: 'Invalid message(s)' });
    await expect(update(ann, [id, 1_000_000_000], 'add', flag)).rejects.toMatchObject({
      message: 'Invalid message(s)',
    });
    expect((await update(eve, [id], 'remove', flag)).changedIds).toEqual([]);
    expect(await flagsOf(ann, id)).toEqual([]);
  });

  test('too many at once are refused', async () => {
    const ids = Array.from({ length: 5_001 }, (_, id) => id);
    await expect(update(ann, ids, 'add', 'read')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('around an anchor are changed as a narrow says', async () => {
    const ids = [await post('1', 'a'), await post('2', 'b'), await post('3', 'a'), await post('4', 'a')];
    const narrow = [term('channel', { id: channel.id }), term('topic', { text: 'a' })];
    const request = {
      anchorKind: 'oldest',
      numBefore: 0,
      numAfter: 2,
      includeAnchor: true,
      narrow,
      op: 'add',
      flag: 'read',
    };
    expect(await network.client.updateFlagsInNarrow(callerOf(ann), request)).toEqual({
      processedCount: 2,
      updatedCount: 2,
      firstProcessedId: ids[0],
      lastProcessedId: ids[2],
      foundOldest: true,
      foundNewest: false,
      ignoredChannelIds: [],
    });
    expect(await Promise.all(ids.map((id) => flagsOf(ann, id)))).toEqual([['read'], [], ['read'], []]);
    const none = [term('channel', { id: channel.id }), term('topic', { text: 'none' })];
    expect(await network.client.updateFlagsInNarrow(callerOf(ann), { ...request, narrow: none })).toEqual({
      processedCount: 0,
      updatedCount: 0,
      foundOldest: true,
      foundNewest: true,
      ignoredChannelIds: [],
    });
  });

  test('show the reader’s alert words in messages sent since', async () => {
    const id = await post('lunch?');
    network.realm.alertWords.set(ann.id, [{ word: 'Lunch', addedAtMs: Date.now() + 3_600_000 }]);
    expect(await flagsOf(ann, id)).toEqual([]);
    network.realm.alertWords.set(ann.id, [{ word: 'Lunch', addedAtMs: 0 }]);
    expect(await flagsOf(ann, id)).toEqual(['has_alert_word']);
    network.realm.alertWords.clear();
  });
});

describe('marking as read', () => {
  const unreadOf = async (user: User) => {
    const wanted = { includesUnread: true, includesStarred: false, includesRecentDirects: false };
    return (await network.client.getMessageState(callerOf(user), wanted)).unread;
  };
  const mine = async () => (await unreadOf(ann))?.topics.filter(({ channelId }) => channelId === channel.id);

  test('unread messages of a topic have the topic name of the newest one', async () => {
    const ids = [await post('1', 'Tea'), await post('2', 'TEA'), await post('3', 'tea')];
    await update(ann, ids.slice(2), 'add', 'read');
    expect(await mine()).toEqual([{ channelId: channel.id, topic: 'TEA', messageIds: ids.slice(0, 2) }]);
  });

  test('a topic leaves the others', async () => {
    const [first, second] = [await post('1', 'Alpha'), await post('2', 'beta')];
    await network.client.markTopicAsRead(callerOf(ann), { channelId: channel.id, topic: ' alpha ' });
    expect(await mine()).toEqual([{ channelId: channel.id, topic: 'beta', messageIds: [second] }]);
    expect((await flagEvents()).at(-1)).toMatchObject({ messageIds: [first], isAll: false });
  });

  test.each([
    ['a topic that nobody knows', 'none', "No such topic 'none'"],
    ['what no topic is called', 'a\u0000b', "No such topic 'a\u0000b'"],
  ])('%s is refused', async (_, topic, message) => {
    const marked = network.client.markTopicAsRead(callerOf(ann), { channelId: channel.id, topic });
    await expect(marked).rejects.toMatchObject({ code: 'BAD_REQUEST', message });
  });

  test('a topic of which one has nothing is refused; “general chat” is the empty one', async () => {
    await post('before Eve', 'old');
    network.realm.subscribe(channel, eve);
    const marked = network.client.markTopicAsRead(callerOf(eve), { channelId: channel.id, topic: 'old' });
    await expect(marked).rejects.toMatchObject({ message: "No such topic 'old'" });
    await post('empty', '');
    await network.client.markTopicAsRead(callerOf(eve), { channelId: channel.id, topic: 'general chat' });
    expect((await unreadOf(eve))?.topics.filter(({ channelId }) => channelId === channel.id)).toEqual([]);
  });

  test('a topic moved into a channel with protected history is there for subscribers of that time', async () => {
    const { realm, client } = network;
    const vault = realm.addChannel('Vault', { isPrivate: true, isHistoryPublic: false });
    realm.subscribe(vault, bob, eve);
    await client.editMessage(callerOf(bob), editRequest(await post('1', 'moved'), { channelId: vault.id }));
    const mark = (user: User) => client.markTopicAsRead(callerOf(user), { channelId: vault.id, topic: 'moved' });
    await mark(eve);
    realm.subscribe(vault, ann);
    await expect(mark(ann)).rejects.toMatchObject({ message: "No such topic 'moved'" });
  });

  test('a channel leaves no topic, and says nothing a second time', async () => {
    const ids = [await post('1', 'a'), await post('2', 'b')];
    await network.client.markChannelAsRead(callerOf(ann), { channelId: channel.id });
    expect(await mine()).toEqual([]);
    const events = await flagEvents();
    expect(events.at(-1)).toMatchObject({ messageIds: ids });
    await network.client.markChannelAsRead(callerOf(ann), { channelId: channel.id });
    expect(await flagEvents()).toHaveLength(events.length);
    const later = await post('3', 'a');
    expect(await mine()).toEqual([{ channelId: channel.id, topic: 'a', messageIds: [later] }]);
  });

  test.each([
    ['unknown', () => 1_000_000],
    ['private', () => network.realm.addChannel('Secret', { isPrivate: true }).id],
    ['archived', () => network.realm.addChannel('Old', { isArchived: true }).id],
  ])('an %s channel is refused', async (_, channelId) => {
    const request = { channelId: channelId() };
    const refusal = { code: 'BAD_REQUEST', message: 'Invalid channel ID' };
    await expect(network.client.markChannelAsRead(callerOf(ann), request)).rejects.toMatchObject(refusal);
    await expect(network.client.markTopicAsRead(callerOf(ann), { ...request, topic: 'x' })).rejects.toMatchObject(
      refusal,
    );
  });

  test('everything includes messages marked as unread by hand', async () => {
    const id = await post('1');
    await network.client.sendMessage(callerOf(bob), toUsers([ann], 'psst'));
    await update(ann, [id], 'add', 'read');
    await update(ann, [id], 'remove', 'read');
    await network.client.markAllAsRead(callerOf(ann), {});
    expect(await unreadOf(ann)).toEqual({ count: 0, directs: [], topics: [], mentionIds: [], hasOlder: false });
    expect((await flagEvents()).at(-1)).toMatchObject({ messageIds: [], isAll: true });
    await update(ann, [id], 'remove', 'read');
    expect(await mine()).toEqual([{ channelId: channel.id, topic: 'x', messageIds: [id] }]);
  });

  test('leaving a channel reads it for good, marks by hand included', async () => {
    const id = await post('1');
    await update(ann, [id], 'add', 'read');
    await update(ann, [id], 'remove', 'read');
    network.realm.unsubscribe(channel, ann);
    expect(await flagsOf(ann, id)).toEqual(['read']);
    expect(await mine()).toEqual([]);
  });

  test('messages of a muted user count as read, without an event to that user', async () => {
    const id = await post('1');
    network.realm.mutedUserIds.set(ann.id, [bob.id]);
    expect(await flagsOf(ann, id)).toEqual(['read']);
    expect((await update(ann, [id], 'remove', 'read')).changedIds).toEqual([]);
    network.realm.mutedUserIds.clear();
    expect(await flagsOf(ann, id)).toEqual([]);
  });
});

describe('read receipts', () => {
  const receipts = async (user: User, messageId: number) =>
    (await network.client.getReadReceipts(callerOf(user), { messageId })).userIds;

  beforeAll(() => {
    network.realm.realm.settings = JSON.stringify({ enable_read_receipts: true });
  });
  beforeEach(() => {
    network.realm.settings.clear();
    network.realm.mutedUserIds.clear();
  });

  test('name the readers, not the sender', async () => {
    network.realm.subscribe(channel, eve);
    const id = await post('1');
    expect(await receipts(bob, id)).toEqual([]);
    await update(ann, [id], 'add', 'read');
    await network.client.markAllAsRead(callerOf(eve), {});
    expect(await receipts(bob, id)).toEqual([ann.id, eve.id]);
    expect(await receipts(ann, id)).toEqual([ann.id, eve.id]);
    await update(ann, [id], 'remove', 'read');
    expect(await receipts(bob, id)).toEqual([eve.id]);
  });

  test('leave out users who do not share them, or one of both has muted the other', async () => {
    network.realm.subscribe(channel, eve);
    const id = await post('1');
    await update(ann, [id], 'add', 'read');
    await update(eve, [id], 'add', 'read');
    network.realm.settings.set(ann.id, { send_read_receipts: false });
    expect(await receipts(bob, id)).toEqual([eve.id]);
    network.realm.settings.clear();
    network.realm.mutedUserIds.set(eve.id, [ann.id]);
    expect(await receipts(ann, id)).toEqual([ann.id]);
  });

  test('count users who starred a message that they had not received', async () => {
    const id = await post('1');
    await update(eve, [id], 'add', 'starred');
    expect(await receipts(bob, id)).toEqual([eve.id]);
  });

  test('leave out users who lost the message by a move', async () => {
    const { realm, client } = network;
    realm.subscribe(channel, eve);
    const cellar = realm.addChannel('Cellar', { isPrivate: true });
    realm.subscribe(cellar, bob, ann);
    const id = await post('1');
    for (const user of [ann, eve]) await update(user, [id], 'add', 'read');
    await client.editMessage(callerOf(bob), editRequest(id, { channelId: cellar.id }));
    expect(await receipts(bob, id)).toEqual([ann.id]);
  });

  test('of direct messages name the other participants', async () => {
    const id = (await network.client.sendMessage(callerOf(bob), toUsers([ann, eve], 'psst'))).messageId;
    await update(ann, [id], 'add', 'read');
    expect(await receipts(bob, id)).toEqual([ann.id]);
  });

  test('are for readers of the message, and only if the organization enables them', async () => {
    const id = await post('1');
    channel.isPrivate = true;
    await expect(receipts(eve, id)).rejects.toMatchObject({ message: 'Invalid message(s)' });
    await expect(receipts(eve, 1_000_000_000)).rejects.toMatchObject({ message: 'Invalid message(s)' });
    network.realm.realm.settings = '{}';
    await expect(receipts(eve, id)).rejects.toMatchObject({ message: 'Invalid message(s)' });
    const message = 'Read receipts are disabled in this organization.';
    await expect(receipts(ann, id)).rejects.toMatchObject({ code: 'BAD_REQUEST', message });
  });
});

describe('a flag set while its message is', () => {
  const rowsOf = (messageId: number) =>
    network.service.db.query('select user_id from personal_flag where message_id = $1', [messageId]);
  const sets: [op: string, flag: string][] = [
    ['add', 'starred'],
    ['add', 'collapsed'],
    ['remove', 'read'],
  ];

  /** Does it while a transaction that deletes the message waits for its end. */
  async function whileDeleting(messageId: number, deed: () => Promise<unknown>): Promise<unknown> {
    const { db } = network.service;
    let done: Promise<unknown> = Promise.resolve();
    await db.transaction(async (tx) => {
      await tx.query('select from message where id = $1 for update', [messageId]);
      await tx.query('delete from personal_flag where message_id = $1', [messageId]);
      await tx.query('delete from message where id = $1', [messageId]);
      done = deed().catch((error) => error);
      await untilWaiting(db, done);
    });
    return done;
  }

  test.each(sets)('deleted, %s %s, stays on nothing', async (op, flag) => {
    const messageId = await post('hi');
    network.realm.subscribe(channel, eve);
    const outcome = await whileDeleting(messageId, () => update(eve, [messageId], op, flag));
    expect(outcome).toMatchObject({ message: 'Invalid message(s)' });
    expect(await rowsOf(messageId)).toEqual([]);
  });

  test.each(sets)('moved to a channel without access, %s %s, loses all flags', async (op, flag) => {
    const messageId = await post('hi');
    network.realm.subscribe(channel, eve);
    const outcome = await whileMoving(network, { messageId, owner: ann }, () => update(eve, [messageId], op, flag));
    expect(outcome).toMatchObject({ message: 'Invalid message(s)' });
    expect(await rowsOf(messageId)).toEqual([]);
  });
});
