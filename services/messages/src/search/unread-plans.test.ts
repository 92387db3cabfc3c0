import type { Database } from '@parley/shared/db';
import { flagsChanged } from '@parley/shared/events';
import type { ChannelReadFacts } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import type { TestDatabase } from '@parley/shared/testing';
import { nodesOf, observed, rowsReadIn } from '@parley/shared/testing';
import { messagesReadIn, pairsComparedIn } from '../../test/observed-plans';
import { openTestDatabase } from '../../test/open-test-database';
import { listForeignChannels } from '../access/foreign-channels.sql';
import type { Reader } from '../access/permissions';
import type { Context } from '../context';
import { markAllAsRead } from '../flags/mark-as-read';
import { hasId, isNot, isSentBy, isStarred, isUnread } from '../narrows/conditions.sql';
import { EVERYTHING, type Lead, type Narrow } from '../narrows/narrow';
import { markAllRead } from '../read-state/read-state.sql';
import { findFirstUnread } from './find-around';
import { findMessages } from './find-messages';
import { findReadByLeaving, findUnread } from './find-unread.sql';
import type { Direction } from './search-query.sql';

const REALM_ID = 1;
const READER_ID = 1;
const CHANNELS = 20;
const TOPICS = 400;
const MESSAGES = 60_000;
/** Sent one message. */
const SELDOM_ID = 7;
const SELDOM_MESSAGE_ID = 30_000;

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await openTestDatabase();
  db = database.db;
  await fill();
}, 120_000);

afterAll(() => database.close());

/** Messages in turn to every topic, all unread. */
async function fill(): Promise<void> {
  await db.query(
    `insert into topic (realm_id, id, channel_id, name, name_key, max_message_id)
     select $1, t, 1 + t % $3::int, 't' || t, 't' || t, $4 from generate_series(1, $2::int) as t`,
    [REALM_ID, TOPICS, CHANNELS, MESSAGES],
  );
  await addMessages(`generate_series(1, ${MESSAGES})`);
  await db.query('insert into personal_flag (realm_id, user_id, message_id, is_starred) values ($1, $2, $3, true)', [
    REALM_ID,
    READER_ID,
    SELDOM_MESSAGE_ID,
  ]);
  await db.query('vacuum analyze message, topic, personal_flag');
}

/** Messages with those ids, a query's. */
const addMessages = (ids: string) =>
  db.query(
    `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
     select $1, m, t.id, t.channel_id, t.channel_id, 1, case m when $4 then $3::bigint else 2 end, repeat('word ', 60), '', now(), 'test',
       false, true, false, false
     from ${ids} as m join topic t on t.realm_id = $1 and t.id = 1 + m % $2::int`,
    [REALM_ID, TOPICS, SELDOM_ID, SELDOM_MESSAGE_ID],
  );

const subscribedTo = (count: number) =>
  Array.from({ length: count }, (_, index): [number, ChannelReadFacts] => {
    const rights = { mayReadHistory: true, hasContentAccess: true, isPublic: true, isWebPublic: false };
    const state = { isSubscribed: true, isMuted: false, isArchived: false, isHidden: false, subscriptionVersion: 1 };
    return [index + 1, { channelId: index + 1, name: '', ...rights, ...state, intervals: [{ fromVersion: 1 }] }];
  });
const channels = subscribedTo(CHANNELS);
const reader = {
  userId: READER_ID,
  realm: { id: REALM_ID },
  channels: new Map(channels),
  mutedUserIds: new Set(),
  alertWords: [],
} as unknown as Reader;

const bySeldom: Partial<Narrow> = {
  conditions: [isSentBy(SELDOM_ID)],
  lead: { routes: [{ kind: 'sender', userId: SELDOM_ID }], isPersonal: false },
};
const starred: Lead = { routes: [{ kind: 'starred' }], isPersonal: true };

/** The unread messages found, and the rows read to find them. */
async function find(
  narrow: Partial<Narrow>,
  direction: Direction,
  limit = 10,
  who = reader,
  fromId = direction === 'before' ? MESSAGES : 0,
) {
  const { sql, plans } = observed(db);
  const range = { realmId: REALM_ID, direction, fromId, limit };
  const search = { reader: who, narrow: { ...EVERYTHING, isUnread: true, ...narrow } };
  const ids = await findMessages({ db: sql as Context['db'] }, search, range);
  return { ids, ...messagesReadIn(plans), allRows: rowsReadIn(plans), pairs: pairsComparedIn(plans) };
}

/** Each conversation is checked for unread messages; beyond that, as many are read as the first steps span. */
const FEW = 2 * 2_000 + TOPICS;

test.each<[string, Partial<Narrow>, Direction, number[]]>([
  ['the newest', {}, 'before', Array.from({ length: 10 }, (_, index) => MESSAGES - index)],
  ['the oldest', {}, 'after', Array.from({ length: 10 }, (_, index) => index + 1)],
  ['that somebody sent who seldom writes', bySeldom, 'before', [SELDOM_MESSAGE_ID]],
  ['that somebody sent who seldom writes, from the oldest on', bySeldom, 'after', [SELDOM_MESSAGE_ID]],
  ['with a star', { lead: starred, conditions: [isStarred(READER_ID)] }, 'before', [SELDOM_MESSAGE_ID]],
  ['that are named', { messageIds: [9, 17] }, 'after', [9, 17]],
])('unread messages, %s: not all that is unread is read', async (_, narrow, direction, ids) => {
  const found = await find(narrow, direction);
  expect(found.ids).toEqual(ids);
  expect(found.rows).toBeLessThan(FEW);
  expect(found.types).not.toContain('Seq Scan');
});

test('what is unread is found beyond long silences, as when other organizations are busy, without reading more', async () => {
  const gap = 400_000;
  // A look into each topic at each end of a silence.
  const most = FEW + 4 * TOPICS;
  const late = [MESSAGES + gap, MESSAGES + 2 * gap - 100, MESSAGES + 2 * gap];
  await addMessages(`unnest('{${late}}'::bigint[])`);
  await db.query('update topic set max_message_id = $2 where realm_id = $1', [REALM_ID, late.at(-1)]);
  try {
    const newest = await find({}, 'before', 10, reader, late.at(-1));
    expect(newest.ids).toEqual([...late.toReversed(), ...Array.from({ length: 7 }, (_, index) => MESSAGES - index)]);
    expect(newest.rows).toBeLessThan(most);
    const later = await find({}, 'after', 10, reader, MESSAGES - 2);
    expect(later.ids).toEqual([MESSAGES - 2, MESSAGES - 1, MESSAGES, ...late]);
    expect(later.rows).toBeLessThan(most);
  } finally {
    await db.query('delete from message where realm_id = $1 and id > $2', [REALM_ID, MESSAGES]);
    await db.query('update topic set max_message_id = $2 where realm_id = $1', [REALM_ID, MESSAGES]);
  }
});

test('few steps lead to the first unread message of a rare sender', async () => {
  const { sql, plans } = observed(db);
  const search = { reader, narrow: { ...EVERYTHING, ...bySeldom } };
  expect(await findFirstUnread({ db: sql as Context['db'] }, search, () => 'true')).toBe(SELDOM_MESSAGE_ID);
  const { rows, indexes, types } = messagesReadIn(plans);
  expect(rows).toBeLessThan(FEW);
  expect([...indexes]).toEqual(expect.arrayContaining(['message_of_conversation', 'message_of_sender']));
  expect(types).not.toContain('Seq Scan');
});

test.each([1, CHANNELS])(
  'in %i of few channels, where nearly all messages are, the first unread message is a few steps away',
  async (count) => {
    const { sql, plans } = observed(db);
    const who = { ...reader, channels: new Map(subscribedTo(count)) };
    const narrow = { ...EVERYTHING, channelIds: [...who.channels.keys()] };
    expect(await findFirstUnread({ db: sql as Context['db'] }, { reader: who, narrow }, () => 'true')).toBeLessThan(
      TOPICS,
    );
    const { rows, types } = messagesReadIn(plans);
    expect(types).not.toContain('Seq Scan');
    expect(rows).toBeLessThan(12 * CHANNELS);
  },
);

test('in few channels from which nothing was moved, moved messages are not looked for among all', async () => {
  const { ids, types, indexes } = await find({ isUnread: false, conditions: [isNot(isSentBy(SELDOM_ID))] }, 'before');
  expect(ids).toHaveLength(10);
  expect(types).not.toContain('Seq Scan');
  expect([...indexes]).toContain('message_moved_from');
  const left = { ...reader, channels: new Map(channels.slice(1)) };
  const { sql, plans } = observed(db);
  await findReadByLeaving(sql, reader, left, [{ channelId: CHANNELS, version: 2 }], 10);
  await listForeignChannels(sql, REALM_ID, READER_ID);
  const looked = messagesReadIn(plans);
  expect(looked.types).not.toContain('Seq Scan');
  expect([...looked.indexes]).toContain('message_moved_to');
});

test('what others moved is not read before PostgreSQL knows of it', async () => {
  const moved = 10_000;
  await db.query(
    `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, moved_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
     select $1, $2::int + m, 5000, 5001, 5000, 1, 1, 2, '', '', now(), 'test', false, true, false, false from generate_series(1, $3::int) m`,
    [REALM_ID, MESSAGES, moved],
  );
  try {
    const found = await find({ isUnread: false, conditions: [isNot(isSentBy(SELDOM_ID))] }, 'before');
    expect(found.ids).toHaveLength(10);
    const { sql, plans } = observed(db);
    const narrow = { ...EVERYTHING, channelIds: [1] };
    expect(await findFirstUnread({ db: sql as Context['db'] }, { reader, narrow }, () => 'true')).not.toBeNull();
    expect(found.rows + messagesReadIn(plans).rows).toBeLessThan(moved);
  } finally {
    await db.query('delete from message where realm_id = $1 and id > $2', [REALM_ID, MESSAGES]);
  }
});

test('in channels where nothing was sent since the reader joined, the first unread message is not looked for', async () => {
  const { sql, plans } = observed(db);
  const joined = (channel: ChannelReadFacts) => ({
    ...channel,
    subscriptionVersion: 2,
    intervals: [{ fromVersion: 2 }],
  });
  const who = { ...reader, channels: new Map(channels.map(([id, channel]) => [id, joined(channel)])) };
  const search = { reader: who, narrow: EVERYTHING };
  expect(await findFirstUnread({ db: sql as Context['db'] }, search, () => 'true')).toBeNull();
  expect(messagesReadIn(plans).rows).toBe(0);
});

test('many messages of hundreds of channels are found without comparing each message with each channel', async () => {
  const who = { ...reader, channels: new Map(subscribedTo(500)) };
  const { ids, pairs } = await find({ isUnread: false }, 'before', 2_000, who);
  expect(ids).toHaveLength(2_000);
  expect(pairs).toBe(0);
});

test('of a channel that was left, the messages that were unread are looked up one by one', async () => {
  const [left] = channels[0] as [number, ChannelReadFacts];
  const now = { ...reader, channels: new Map(channels.slice(1)) };
  const { sql, plans } = observed(db);
  const found = await findReadByLeaving(sql, reader, now, [{ channelId: left, version: 2 }], MESSAGES);
  expect(found).toHaveLength(MESSAGES / CHANNELS);
  expect(messagesReadIn(plans).types).not.toContain('Seq Scan');
});

describe('of channels with a thousand topics each', () => {
  const OTHERS = 1_000;

  beforeAll(async () => {
    await db.query(
      `insert into topic (realm_id, id, channel_id, name, name_key, max_message_id)
       select $1, 100000 + t, 1 + t % $3::int, 'former ' || t, 'former ' || t, 1 from generate_series(1, $2::int) as t`,
      [REALM_ID, CHANNELS * OTHERS, CHANNELS],
    );
    await db.query('vacuum analyze topic');
  });
  afterAll(async () => {
    await db.query('delete from topic where realm_id = $1 and id > 100000', [REALM_ID]);
    await db.query('vacuum analyze topic');
  });

  /** The reader of hundreds of channels, with that many unread messages. */
  async function behindBy(unread: number) {
    const who = { ...reader, userId: 5_000 + unread, channels: new Map(subscribedTo(500)) };
    await db.query('insert into read_watermark values ($1, $2, $3)', [REALM_ID, who.userId, MESSAGES - unread]);
    return find({}, 'before', 10, who);
  }

  test('none is looked at where all is read, nor is a channel compared with every other one', async () => {
    expect(await behindBy(0)).toMatchObject({ ids: [], allRows: 1, pairs: 0 });
  });

  test.each([40, 3_000])('few are looked at for %i unread messages', async (unread) => {
    const { ids, allRows } = await behindBy(unread);
    expect(ids).toEqual(Array.from({ length: 10 }, (_, index) => MESSAGES - index));
    expect(allRows).toBeLessThan(CHANNELS * (OTHERS / 2) + FEW);
  });

  test('all are looked at where many have later messages', async () => {
    expect((await behindBy(MESSAGES)).ids).toEqual(Array.from({ length: 10 }, (_, index) => MESSAGES - index));
  });
});

test('whether a message is unread reads that message only', async () => {
  const narrow = { isUnread: false, conditions: [isUnread(reader), hasId([5, SELDOM_MESSAGE_ID])], lead: starred };
  const { ids, rows, pages } = await find(narrow, 'before');
  expect(ids).toEqual([SELDOM_MESSAGE_ID]);
  expect(rows).toBeLessThan(5);
  expect(pages).toBeLessThan(30);
});

test('of many messages marked as unread, at most a page of each topic is read', async () => {
  const marker = { ...reader, userId: 8 };
  await db.query('insert into read_watermark values ($1, $2, $3)', [REALM_ID, marker.userId, MESSAGES]);
  await db.query(
    `insert into read_exception (realm_id, user_id, conversation_id, unread)
     select $1, $2, t, int8multirange(int8range(1, $3::bigint + 1)) from generate_series(1, $4::int) as t`,
    [REALM_ID, marker.userId, MESSAGES, TOPICS],
  );
  const { ids, rows } = await find({}, 'before', 10, marker);
  expect(ids).toEqual(Array.from({ length: 10 }, (_, index) => MESSAGES - index));
  expect(rows).toBeLessThan(2 * 10 * TOPICS + FEW);
});

test.each(['unread', 'unpassed'])(
  'of a topic with many gaps between what is %s, each message is read once',
  async (marks) => {
    const [marker, topicId] = [{ ...reader, userId: marks === 'unread' ? 81 : 82 }, 5];
    await db.query('insert into read_watermark values ($1, $2, $3)', [REALM_ID, marker.userId, MESSAGES]);
    await db.query(
      `insert into read_exception (realm_id, user_id, conversation_id, ${marks})
     select realm_id, $2, conversation_id, range_agg(int8range(id, id + 1)) from message
     where realm_id = $1 and conversation_id = $3 group by realm_id, conversation_id`,
      [REALM_ID, marker.userId, topicId],
    );
    const { sql, plans } = observed(db);
    const [place] = await findUnread(sql, marker, {
      conversationIds: [topicId],
      limit: MESSAGES,
      fromId: 1,
      toId: MESSAGES,
    });
    const count = place?.messageIds.length ?? 0;
    expect(count).toBe(MESSAGES / TOPICS);
    expect(messagesReadIn(plans).rows).toBeLessThan(2 * count + FEW);
    // Among millions of messages, the planner would take the list of topics instead of the ids.
    const read = plans.flatMap(nodesOf).filter((node) => node['Index Name'] === 'message_of_conversation');
    expect(read.length).toBeGreaterThan(0);
    expect(read.filter((node) => node['Index Cond']?.includes(' ANY '))).toEqual([]);
  },
);

describe('all that is unread', () => {
  const behindBy = async (unread: number) => {
    const [userId, { sql, plans }] = [10 + unread, observed(db)];
    await db.query('insert into read_watermark values ($1, $2, $3)', [REALM_ID, userId, MESSAGES - unread]);
    const places = await findUnread(sql, { ...reader, userId }, { limit: 2 * unread });
    const ids = places.flatMap(({ messageIds }) => messageIds).sort((a, b) => a - b);
    expect(ids).toEqual(Array.from({ length: unread }, (_, index) => MESSAGES - unread + 1 + index));
    return messagesReadIn(plans).rows;
  };

  test('for those who keep up, no channels are looked at but those of the newest messages', async () => {
    expect(await behindBy(3)).toBeLessThan(CHANNELS);
  });

  test.each([1_000, 1_001, 1_500])('is found among %i later messages, in every channel', async (unread) => {
    await behindBy(unread);
  });
});

describe('marking all as read', () => {
  const caller = { ...newCall(), realmId: REALM_ID, userId: READER_ID };

  /** The cost with that many unread messages. */
  async function markedWith(unread: number) {
    const setWatermark = () =>
      db.query(
        `insert into read_watermark values ($1, $2, $3)
         on conflict (realm_id, user_id) do update set message_id = excluded.message_id`,
        [REALM_ID, READER_ID, MESSAGES - unread],
      );
    await setWatermark();
    expect(await find({}, 'before', MESSAGES)).toMatchObject({ ids: { length: unread } });
    const before = db.statementCount;
    await markAllAsRead({ db } as Context, caller);
    const statements = db.statementCount - before;
    expect(await find({}, 'before', MESSAGES)).toMatchObject({ ids: [] });
    await setWatermark();
    const { sql, plans } = observed(db);
    const event = flagsChanged(REALM_ID, { userId: READER_ID, op: 'add', flag: 'read', messageIds: [], isAll: true });
    await markAllRead(sql, REALM_ID, READER_ID, event);
    return { statements, ...messagesReadIn(plans) };
  }

  test('takes the same few statements, and reads as many messages and pages, however many are unread', async () => {
    const few = await markedWith(600);
    const many = await markedWith(MESSAGES);
    expect(many.statements).toBe(few.statements);
    expect(many.statements).toBeLessThanOrEqual(4);
    expect([few.rows, many.rows]).toEqual([1, 1]);
    expect([...many.indexes]).toContain('message_pkey');
    expect(many.pages).toBeLessThan(60);
    expect(Math.abs(many.pages - few.pages)).toBeLessThan(20);
  });

  test('of a user without read messages stores one row', async () => {
    await db.query('delete from read_watermark where user_id = $1', [READER_ID]);
    await markAllAsRead({ db } as Context, caller);
    expect(await db.query('select message_id as id from read_watermark where user_id = $1', [READER_ID])).toEqual([
      { id: MESSAGES },
    ]);
    const marks = await db.query('select count(*) as rows from read_exception where user_id = $1', [READER_ID]);
    expect(marks).toEqual([{ rows: 0 }]);
    expect(await db.query('select count(*) as rows from channel_read_watermark')).toEqual([{ rows: 0 }]);
  });
});
