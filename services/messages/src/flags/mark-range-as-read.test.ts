import type { NarrowTerm, User } from '@parley/shared/proto';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, startMessages, term, toChannel } from '../../test/start-messages';

let network: MessagesUnderTest;
let ann: User;
let bob: User;
let channel: PeerChannel;
let other: PeerChannel;

beforeAll(async () => {
  network = await startMessages();
});
beforeEach(() => {
  const { realm } = network;
  [ann, bob] = [realm.addUser(`Ann ${realm.users.length}`), realm.addUser(`Bob ${realm.users.length}`)];
  [channel, other] = [1, 2].map((nth) => realm.addChannel(`Channel ${realm.channels.length} ${nth}`)) as [
    PeerChannel,
    PeerChannel,
  ];
  for (const each of [channel, other]) realm.subscribe(each, ann, bob);
});
afterAll(() => network.stop());

async function post(to: PeerChannel, topic: string): Promise<number> {
  return (await network.client.sendMessage(callerOf(bob), toChannel(to.id, topic, 'hi'))).messageId;
}

interface Wanted {
  anchor?: number;
  numBefore?: number;
  numAfter?: number;
  includeAnchor?: boolean;
}

const mark = (narrow: NarrowTerm[], wanted: Wanted = {}) =>
  network.client.updateFlagsInNarrow(callerOf(ann), {
    ...{ anchor: 0, numBefore: 0, numAfter: 5_000, includeAnchor: true, ...wanted },
    narrow,
    op: 'add',
    flag: 'read',
  });

async function unreadIds(): Promise<number[]> {
  const wanted = { includesUnread: true, includesStarred: false, includesRecentDirects: false };
  const { unread } = await network.client.getMessageState(callerOf(ann), wanted);
  return (unread?.topics ?? []).flatMap(({ messageIds }) => messageIds).sort((a, b) => a - b);
}

/** The number of rows of Ann's read state: exceptions, watermarks of channels, and of everything. */
async function rowCounts(): Promise<number[]> {
  const tables = ['read_exception', 'channel_read_watermark', 'read_watermark'];
  const counts = tables.map((table) =>
    network.service.db.query<{ count: number }>(`select count(*) as count from ${table} where user_id = $1`, [ann.id]),
  );
  return (await Promise.all(counts)).map(([row]) => Number(row?.count));
}

async function lastEvent(): Promise<unknown> {
  const [row] = await network.service.db.query<{ payload: string }>(
    `select payload from outbox where kind = 'flags.changed' order by id desc limit 1`,
  );
  return JSON.parse(row?.payload as string);
}

test('everything, from the oldest on: a watermark moves, batch by batch, and events name what became read', async () => {
  const ids: number[] = [];
  for (const topic of ['a', 'b', 'c', 'd']) ids.push(await post(channel, topic), await post(other, topic));
  expect(await mark([], { numAfter: 5 })).toMatchObject({ processedCount: 5, updatedCount: 5, foundNewest: false });
  expect(await lastEvent()).toEqual({
    userId: ann.id,
    op: 'add',
    flag: 'read',
    messageIds: ids.slice(0, 5),
    isAll: false,
  });
  expect(await unreadIds()).toEqual(ids.slice(5));
  const rest = {
    processedCount: 3,
    updatedCount: 3,
    firstProcessedId: ids[5],
    lastProcessedId: ids[7],
    foundNewest: true,
  };
  expect(await mark([], { anchor: (ids[4] as number) + 1 })).toMatchObject(rest);
  expect(await unreadIds()).toEqual([]);
  expect(await rowCounts()).toEqual([0, 0, 1]);
  expect(await mark([])).toMatchObject({ processedCount: 8, updatedCount: 0 });
});

test('a channel: its own watermark moves, over what was marked as unread, and other channels stay unread', async () => {
  const [first, elsewhere, second] = [await post(channel, 'a'), await post(other, 'a'), await post(channel, 'b')];
  for (const op of ['add', 'remove']) {
    await network.client.updateFlags(callerOf(ann), { messageIds: [first], op, flag: 'read' });
  }
  const narrow = [term('channel', { id: channel.id })];
  expect(await mark(narrow)).toMatchObject({ processedCount: 2, updatedCount: 2 });
  expect(await lastEvent()).toMatchObject({ messageIds: [first, second] });
  expect(await unreadIds()).toEqual([elsewhere]);
  expect((await rowCounts()).slice(1)).toEqual([1, 0]);
  const later = await post(channel, 'a');
  expect(await unreadIds()).toEqual([elsewhere, later]);
});

test('all that is unread: as everything is', async () => {
  const ids: number[] = [];
  for (const topic of ['a', 'b', 'c', 'd']) ids.push(await post(channel, topic), await post(other, topic));
  const unread = [term('is', { text: 'unread' })];
  expect(await mark(unread, { numAfter: 5 })).toMatchObject({ processedCount: 5, updatedCount: 5 });
  expect(await lastEvent()).toMatchObject({ messageIds: ids.slice(0, 5) });
  expect(await unreadIds()).toEqual(ids.slice(5));
  expect(await mark(unread)).toMatchObject({ processedCount: 3, updatedCount: 3, foundNewest: true });
  expect(await rowCounts()).toEqual([0, 0, 1]);
});

test('all that is unread, however far apart and however many at once: batch by batch, the oldest first', async () => {
  const foreign = network.realm.addChannel(`Channel ${network.realm.channels.length} foreign`);
  network.realm.subscribe(foreign, bob);
  const ids = [await post(channel, 'a')];
  for (let count = 0; count < 40; count += 1) await post(foreign, 'a');
  for (let count = 0; count < 12; count += 1) ids.push(await post(count % 3 === 0 ? other : channel, 'b'));
  const unread = [term('is', { text: 'unread' })];
  const batches: unknown[] = [];
  for (let anchor: number | undefined = 0; anchor !== undefined; ) {
    const { firstProcessedId, lastProcessedId, updatedCount, foundNewest } = await mark(unread, {
      anchor,
      numAfter: 5,
    });
    batches.push([firstProcessedId, lastProcessedId, updatedCount]);
    anchor = foundNewest ? undefined : lastProcessedId;
  }
  expect(batches).toEqual([
    [ids[0], ids[4], 5],
    [ids[5], ids[9], 5],
    [ids[10], ids[12], 3],
  ]);
  expect(await unreadIds()).toEqual([]);
  expect(await rowCounts()).toEqual([0, 0, 1]);
});

test.each([true, false])(
  'unread messages before the anchor stay unread, with the anchor included: %s',
  async (includeAnchor) => {
    const ids: number[] = [];
    for (const topic of ['a', 'b', 'a', 'b', 'a']) ids.push(await post(channel, topic));
    const unread = [term('is', { text: 'unread' })];
    const [, , anchor] = ids;
    const marked = includeAnchor ? 3 : 2;
    expect(await mark(unread, { anchor: anchor as number, includeAnchor })).toMatchObject({ updatedCount: marked });
    expect(await unreadIds()).toEqual(ids.slice(0, 5 - marked));
  },
);

test('the first unread message itself is marked only if it is asked for, besides as many as wanted', async () => {
  const ids: number[] = [];
  for (const topic of ['a', 'b', 'a', 'b', 'a']) ids.push(await post(channel, topic));
  const unread = [term('channel', { id: channel.id }), term('is', { text: 'unread' })];
  const [anchor] = ids as [number];
  expect(await mark(unread, { anchor, includeAnchor: false, numAfter: 1 })).toMatchObject({ updatedCount: 1 });
  expect(await unreadIds()).toEqual([ids[0], ids[2], ids[3], ids[4]]);
  expect(await mark(unread, { anchor, includeAnchor: true, numAfter: 1 })).toMatchObject({
    processedCount: 2,
    foundNewest: false,
  });
  expect(await unreadIds()).toEqual(ids.slice(3));
});

test('older unread messages stay unread: ranges are marked, one per topic', async () => {
  const ids: number[] = [];
  for (const topic of ['a', 'b', 'a', 'b', 'a', 'b']) ids.push(await post(channel, topic));
  const narrow = [term('channel', { id: channel.id })];
  expect(await mark(narrow, { anchor: ids[5] as number, numBefore: 3, numAfter: 0 })).toMatchObject({
    updatedCount: 4,
  });
  expect(await unreadIds()).toEqual(ids.slice(0, 2));
  expect(await rowCounts()).toEqual([2, 0, 0]);
});

/** SQL statements for marking one new message after another, in an organization that is quiet otherwise. */
async function statementsToMark(narrow: NarrowTerm[], topic: string): Promise<number> {
  const { db } = network.service;
  const counts: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const anchor = await post(channel, topic);
    const before = db.statementCount;
    expect(await mark(narrow, { anchor })).toMatchObject({ processedCount: 1, updatedCount: 1 });
    counts.push(db.statementCount - before);
  }
  return Math.min(...counts);
}

test('a few messages cost four statements where a watermark moves, and one more where none can', async () => {
  const inChannel = [term('channel', { id: channel.id })];
  expect(await statementsToMark(inChannel, 'a')).toBe(4);
  const older = await post(channel, 'a');
  expect(await statementsToMark(inChannel, 'b')).toBe(5);
  expect(await statementsToMark([...inChannel, term('topic', { text: 'b' })], 'b')).toBe(4);
  expect(await unreadIds()).toEqual([older]);
});

test('everything, while an older message of one channel stays unread: the watermark of the other channel moves', async () => {
  const older = await post(channel, 'a');
  const ids: number[] = [];
  for (const topic of ['a', 'b', 'c']) ids.push(await post(other, topic), await post(channel, topic));
  expect(await mark([], { anchor: ids[0] as number, numAfter: 3 })).toMatchObject({ updatedCount: 4 });
  expect(await lastEvent()).toMatchObject({ messageIds: ids.slice(0, 4) });
  expect(await unreadIds()).toEqual([older, ...ids.slice(4)]);
  expect(await rowCounts()).toEqual([2, 1, 0]);
  expect(await mark([], { anchor: ids[3] as number })).toMatchObject({ processedCount: 3, updatedCount: 2 });
  expect(await unreadIds()).toEqual([older]);
});

test('a topic: one range, also batch by batch', async () => {
  const ids: number[] = [];
  for (const topic of ['a', 'b', 'a', 'b', 'a', 'b']) ids.push(await post(channel, topic));
  const narrow = [term('channel', { id: channel.id }), term('topic', { text: 'a' })];
  await mark(narrow, { numAfter: 2 });
  expect(await mark(narrow, { anchor: (ids[2] as number) + 1 })).toMatchObject({ processedCount: 1, updatedCount: 1 });
  expect(await unreadIds()).toEqual([ids[1], ids[3], ids[5]]);
  const [row] = await network.service.db.query<{ read: string }>(
    'select read::text from read_exception where user_id = $1',
    [ann.id],
  );
  expect(row?.read).toBe(`{[1,${(ids[4] as number) + 1})}`);
});

test('in a channel that the reader is not in nothing is unread', async () => {
  await post(channel, 'a');
  network.realm.unsubscribe(channel, ann);
  expect(await mark([term('channel', { id: channel.id })])).toMatchObject({ processedCount: 1, updatedCount: 0 });
  expect(await rowCounts()).toEqual([0, 0, 0]);
});
