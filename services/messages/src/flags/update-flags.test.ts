import type { Transaction } from '@parley/shared/db';
import { type FlagsChanged, flagsChanged } from '@parley/shared/events';
import type { NarrowTerm, User } from '@parley/shared/proto';
import { untilWaiting, untilWaitingOrEnded } from '@parley/shared/testing';
import type { PeerChannel } from '../../test/realm-peer';
import {
  callerOf,
  getRequest,
  type MessagesUnderTest,
  startMessages,
  term,
  toChannel,
} from '../../test/start-messages';
import type { Context } from '../context';
import type { FlaggedMessage } from '../read-state/read-state.sql';
import { forgetLeftChannels, readArchivedChannels, readMutedSenders } from './follow-channels';
import { storeUnread } from './store-flags.sql';

let network: MessagesUnderTest;
let ann: User;
let bob: User;
let channel: PeerChannel;
let messageId: number;

beforeAll(async () => {
  network = await startMessages();
  [ann, bob] = [network.realm.addUser('Ann'), network.realm.addUser('Bob')];
});
beforeEach(async () => {
  const { realm, client } = network;
  channel = realm.addChannel(`Channel ${realm.channels.length}`);
  realm.subscribe(channel, ann, bob);
  messageId = (await client.sendMessage(callerOf(bob), toChannel(channel.id, 'x', 'Hello'))).messageId;
  await update('add');
});
afterEach(() => {
  network.realm.meanwhile.afterReadFacts = async () => {};
});
afterAll(() => network.stop());

const update = (op: string) => network.client.updateFlags(callerOf(ann), { messageIds: [messageId], op, flag: 'read' });

const flags = async () => {
  const { messages } = await network.client.getMessages(callerOf(ann), getRequest({ messageIds: [messageId] }));
  return messages[0]?.flags;
};

/** This service hears of a change in realm. */
async function hear(handle: (ctx: Context, events: never[]) => Promise<void>, payload: unknown): Promise<void> {
  const { realm, service } = network;
  const facts = { channels: [], mutedUserIds: realm.mutedUserIds.get(ann.id) ?? [], alertWords: [] };
  const readFacts = { load: async () => ({ ...facts, realm: realm.realm, reader: { isGuest: false } }) };
  const subscribers = [...channel.intervals].map(([userId, intervals]) => ({ userId, intervals }));
  const peer = {
    getSubscribers: async () => ({ version: channel.subscriptionVersion, subscribers }),
    getChannelsOfReaders: async () => ({ readers: [{ userId: ann.id, ...facts }] }),
  };
  const ctx = { db: service.db, readFacts, services: { realm: peer } } as unknown as Context;
  await handle(ctx, [{ id: '1', realmId: ann.realmId, payload } as never]);
}

/** Ann leaves. */
async function leave(): Promise<void> {
  network.realm.unsubscribe(channel, ann);
  const version = channel.subscriptionVersion;
  await hear(forgetLeftChannels, { channelId: channel.id, version, subscribedIds: [], unsubscribedIds: [ann.id] });
}

async function archive(isArchived: boolean): Promise<void> {
  channel.isArchived = isArchived;
  await hear(readArchivedChannels, { channel: { id: channel.id, isArchived }, atMs: Date.now() });
}

/** Ann mutes Bob. */
async function mute(isMuted: boolean): Promise<void> {
  network.realm.mutedUserIds.set(ann.id, isMuted ? [bob.id] : []);
  await hear(readMutedSenders, { userId: ann.id, mutedUserId: bob.id, isMuted, mutedUsers: [] });
}

const once = (deed: () => Promise<void>) => {
  network.realm.meanwhile.afterReadFacts = async () => {
    network.realm.meanwhile.afterReadFacts = async () => {};
    await deed();
  };
};

test('a message does not become unread in a channel that the reader leaves while they mark it', async () => {
  once(leave);
  expect(await update('remove')).toMatchObject({ ignoredChannelIds: [channel.id] });
  network.realm.subscribe(channel, ann);
  expect(await flags()).toEqual(['read']);
});

test('a message does not become unread in a channel that is archived while the reader marks it', async () => {
  once(() => archive(true));
  expect(await update('remove')).toMatchObject({ ignoredChannelIds: [channel.id] });
  await archive(false);
  expect(await flags()).toEqual(['read']);
  expect(await update('remove')).toMatchObject({ ignoredChannelIds: [] });
  expect(await flags()).toEqual([]);
});

test('a message does not become unread while the reader mutes its sender', async () => {
  once(() => mute(true));
  await update('remove');
  await mute(false);
  expect(await flags()).toEqual(['read']);
  await update('remove');
  expect(await flags()).toEqual([]);
});

test('the same when the reader is leaving at the moment of the mark', async () => {
  const { db } = network.service;
  const marks = `hashtextextended('marks as unread ${network.realm.realm.id} ${ann.id}', 0)`;
  let marking: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(${marks})`);
    marking = update('remove');
    await untilWaiting(db, marking);
    network.realm.unsubscribe(channel, ann);
    await tx.query('insert into left_channel values ($1, $2, $3, $4)', [
      network.realm.realm.id,
      ann.id,
      channel.id,
      channel.subscriptionVersion,
    ]);
  });
  expect(await marking).toMatchObject({ ignoredChannelIds: [channel.id] });
});

test('who has left and joined again marks messages as unread', async () => {
  await leave();
  network.realm.subscribe(channel, ann);
  expect(await update('remove')).toMatchObject({ ignoredChannelIds: [] });
  expect(await flags()).toEqual([]);
});

describe('a message that is marked as unread', () => {
  /** Whether the message is read, as far as events tell. */
  async function isToldRead(): Promise<boolean> {
    const events = await network.service.db.query<{ op: string; isAll: boolean; messageIds: number[] }>(
      `select payload::json->>'op' as op, (payload::json->>'isAll')::boolean as "isAll", payload::json->'messageIds' as "messageIds"
       from outbox where kind = 'flags.changed' and payload::json->>'userId' = $1 order by id`,
      [String(ann.id)],
    );
    const last = events.filter(({ isAll, messageIds }) => isAll || messageIds.includes(messageId)).at(-1);
    return last?.op === 'add';
  }

  const caller = () => callerOf(ann);
  const send = (content: string, topic = 'x') =>
    network.client.sendMessage(callerOf(bob), toChannel(channel.id, topic, content));

  /** It becomes unread when the transaction ends. */
  async function unreadIn(tx: Transaction): Promise<void> {
    const [message] = await tx.query<FlaggedMessage>(
      'select id, conversation_id as "conversationId", channel_id as "channelId" from message where id = $1',
      [messageId],
    );
    const store = { realmId: ann.realmId, userId: ann.id, messages: [message as FlaggedMessage], historicalIds: [] };
    const fact: FlagsChanged = { userId: ann.id, op: 'remove', flag: 'read', messageIds: [messageId], isAll: false };
    const facts = { joinedVersions: new Map(), senderIds: [] };
    await storeUnread(tx, { ...store, event: flagsChanged(ann.realmId, fact) }, facts);
  }

  /** Begins before it becomes unread, and ends after it. */
  async function whileUnreading<Marked>(markAsRead: () => Promise<Marked>): Promise<Marked> {
    const { db } = network.service;
    const { marking } = await db.transaction(async (tx) => {
      await unreadIn(tx);
      const begun = markAsRead();
      await untilWaitingOrEnded(db, begun, 1);
      return { marking: begun };
    });
    return marking;
  }

  test.each([
    ['everything', () => network.client.markAllAsRead(caller(), {}), true],
    ['its channel', () => network.client.markChannelAsRead(caller(), { channelId: channel.id })],
    ['its topic', () => network.client.markTopicAsRead(caller(), { channelId: channel.id, topic: 'x' })],
  ])('while %s is marked as read is as events tell', async (_, markAsRead, isRepeated = false) => {
    // Forgets the marks of single messages.
    if (isRepeated) await markAsRead();
    await send('Unread');
    await whileUnreading<unknown>(markAsRead);
    expect([await flags(), await isToldRead()]).toEqual([['read'], true]);
  });

  const markNarrow = (narrow: NarrowTerm[], anchor = 0) => {
    const consecutive = { anchor, numBefore: 0, numAfter: 1_000, includeAnchor: true };
    return network.client.updateFlagsInNarrow(caller(), { ...consecutive, narrow, op: 'add', flag: 'read' });
  };
  const unread = term('is', { text: 'unread' });
  const inChannel = () => term('channel', { id: channel.id });
  const inTopic = () => term('topic', { text: 'x' });

  /** Begins to mark: what is to be marked is found before the deed, and marked after it. */
  async function beginToMark(table: string, narrow: NarrowTerm[], deed: () => Promise<unknown>) {
    const { db } = network.service;
    return db.transaction(async (tx) => {
      await tx.query(`lock table ${table} in share mode`);
      const marking = markNarrow(narrow, messageId);
      await untilWaiting(db, marking);
      await deed();
      return { marking };
    });
  }

  const places: [string, string, () => NarrowTerm[]][] = [
    ['all', 'read_watermark', () => []],
    ['all unread ones', 'read_watermark', () => [unread]],
    ['those of its channel', 'channel_read_watermark', () => [inChannel()]],
    ['the unread ones of its channel', 'channel_read_watermark', () => [inChannel(), unread]],
  ];
  test.each(places)(
    'when consecutive messages, %s, have been found to be read stays unread',
    async (_, table, narrow) => {
      await network.client.markAllAsRead(caller(), {});
      await send('Unread');
      const { marking } = await beginToMark(table, narrow(), () => update('remove'));
      expect(await marking).toMatchObject({ updatedCount: 1 });
      expect([await flags(), await isToldRead()]).toEqual([[], false]);
    },
  );

  test.each(places)(
    'and was found to be unread with consecutive messages, %s, before it was read, is as events tell',
    async (_, table, narrow) => {
      const { db } = network.service;
      await network.client.markAllAsRead(caller(), {});
      messageId = (await send('Unread')).messageId;
      const { marking } = await db.transaction(async (tx) => {
        const readAndUnread = async () => {
          await update('add');
          await unreadIn(tx);
        };
        const begun = await beginToMark(table, narrow(), readAndUnread);
        await untilWaitingOrEnded(db, begun.marking, 1);
        return begun;
      });
      expect(await marking).toMatchObject({ updatedCount: 1 });
      expect([await flags(), await isToldRead()]).toEqual([['read'], true]);
    },
  );

  test('while the unread ones of its topic are marked as read stays unread', async () => {
    await network.client.markAllAsRead(caller(), {});
    await send('First');
    messageId = (await send('It')).messageId;
    await update('add');
    await send('Last');
    const marked = await whileUnreading(() => markNarrow([inChannel(), inTopic(), unread]));
    expect(marked).toMatchObject({ updatedCount: 2 });
    expect([await flags(), await isToldRead()]).toEqual([[], false]);
  });

  describe('among hundreds', () => {
    const more = async () => {
      await Promise.all(Array.from({ length: 201 }, (_, nth) => send(`Unread ${nth}`)));
    };

    test('in a channel with an older unread one, while they are marked as read, stays unread', async () => {
      await network.client.markAllAsRead(caller(), {});
      await send('Older', 'y');
      messageId = (await send('It')).messageId;
      await update('add');
      await more();
      expect(await whileUnreading(() => markNarrow([inChannel()], messageId))).toMatchObject({ updatedCount: 201 });
      expect([await flags(), await isToldRead()]).toEqual([[], false]);
    });

    test('that have been found, while an older one stays unread elsewhere, stays unread', async () => {
      const { realm, client } = network;
      await client.markAllAsRead(caller(), {});
      const other = realm.addChannel(`Channel ${realm.channels.length}`);
      realm.subscribe(other, ann, bob);
      await client.sendMessage(callerOf(bob), toChannel(other.id, 'x', 'Older'));
      messageId = (await send('It')).messageId;
      await update('add');
      await more();
      const { marking } = await beginToMark('channel_read_watermark', [], () => update('remove'));
      expect(await marking).toMatchObject({ updatedCount: 201 });
      expect([await flags(), await isToldRead()]).toEqual([[], false]);
    });
  });
});
