import type { ChannelReadFacts, NarrowTerm } from '@parley/shared/proto';
import { type Caller, newCall } from '@parley/shared/rpc';
import type { TestDatabase } from '@parley/shared/testing';
import { nodesOf, observed } from '@parley/shared/testing';
import { makeMessages, READER_ID, reader as someone, storeOrganization } from '../../test/narrow-organization';
import { messagesReadIn } from '../../test/observed-plans';
import { openTestDatabase } from '../../test/open-test-database';
import { term } from '../../test/terms';
import type { Reader } from '../access/permissions';
import type { Context } from '../context';
import { compileNarrow } from '../narrows/compile-narrow';
import { EVERYTHING } from '../narrows/narrow';
import { findMessages, type Search } from './find-messages';

const MESSAGES = 40_000;
const WANTED = 100;
const caller: Caller = { ...newCall(), realmId: 1, userId: READER_ID };

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  await storeOrganization(database.db, makeMessages(MESSAGES));
  // Mentions and reactions of others.
  const others = `select 1, 100 + i % 50, i from generate_series(1, ${MESSAGES}) i`;
  await database.db.query(`insert into mention (realm_id, user_id, message_id) ${others}`);
  await database.db.query(
    `insert into personal_flag (realm_id, user_id, message_id, is_starred) ${others.replace('i from', 'i, true from')}`,
  );
  await database.db.query('vacuum analyze');
}, 120_000);

afterAll(() => database.close());

/** A reader who receives one quiet channel. */
const quiet = { userId: 99, channels: new Map([...someone.channels].filter(([id]) => id === 8)) };

async function find(terms: NarrowTerm[], facts: Partial<Reader> = {}) {
  const reader = { ...someone, ...facts };
  const ctx = {
    db: database.db,
    userCards: { load: async () => new Map([1, 7].map((id) => [id, { id, email: '', deliveryEmail: '' }])) },
  };
  const search: Search = { reader, narrow: await compileNarrow(ctx as unknown as Context, caller, terms, reader) };
  const { sql, plans } = observed(database.db);
  const range = { realmId: 1, direction: 'before', fromId: MESSAGES + 1, limit: WANTED } as const;
  const ids = await findMessages({ db: sql as Context['db'] }, search, range);
  return { ids, ...messagesReadIn(plans), plans, statements: plans.length };
}

const text = (operator: string, operand: string) => term(operator, { text: operand });

test.each<[string, NarrowTerm[], string[], number]>([
  ['a channel', [term('channel', { id: 1 })], ['message_of_channel'], 2 * WANTED],
  ['a topic', [term('channel', { id: 1 }), text('topic', 'reports')], ['message_of_conversation'], 2 * WANTED],
  ['the feed', [], ['message_pkey'], 6_000],
  ['direct messages', [text('is', 'dm')], ['message_of_conversation'], 9 * WANTED],
  ['mentions', [text('is', 'mentioned')], ['mention_pkey'], 3 * WANTED],
  ['stars', [text('is', 'starred')], ['personal_flag_starred'], 2 * WANTED],
  ['a common word', [text('search', 'lunch')], ['message_of_channel'], 3_000],
])('%s: newest messages come by an index, and few others are read', async (_, terms, indexes, most) => {
  const { ids, rows, types, indexes: used } = await find(terms);
  expect(ids).toHaveLength(WANTED);
  expect([...used]).toEqual(expect.arrayContaining(indexes));
  expect(types).not.toContain('Seq Scan');
  expect(rows).toBeLessThanOrEqual(most);
});

test.each<[string, NarrowTerm[], string[]]>([
  ['a rare word', [text('search', 'zebra')], ['message_search']],
  ['a rare sender', [term('sender', { id: 7 })], ['message_of_sender']],
  ['images', [text('has', 'image')], ['message_with_image']],
  ['an alert word', [text('is', 'alerted')], ['message_search', 'message_with_joined_words']],
])('%s is found by its index, as the planner knows that it is rare', async (_, terms, expected) => {
  const { ids, indexes, statements, types } = await find(terms, { alertWords: [{ word: 'Zebra', addedAtMs: 0 }] });
  expect(ids.length).toBeGreaterThan(0);
  expect(statements).toBe(1);
  expect([...indexes]).toEqual(expect.arrayContaining(expected));
  expect(types).not.toContain('Seq Scan');
});

test.each<[string, NarrowTerm[]]>([
  ['a rare sender', [term('sender', { id: 7 }), text('search', 'lunch')]],
  ['a rare word', [term('sender', { id: 1 }), text('search', 'zebra')]],
  ['images', [text('has', 'image'), text('search', 'lunch')]],
])('of several indexes, the one that leads to few messages is followed: %s', async (_, terms) => {
  const { ids, rows } = await find(terms);
  const [count] = await database.db.query<{ rare: number }>(
    `select least(count(*) filter (where sender_id = 7), count(*) filter (where has_image))::int as rare from message`,
  );
  expect(ids.length).toBeGreaterThan(0);
  expect(rows).toBeLessThanOrEqual(4 * (count?.rare ?? 0));
});

test.each<[string, NarrowTerm[]]>([
  ['a common word', [text('search', 'lunch')]],
  ['common alert words', [text('is', 'alerted')]],
  ['what is muted', [text('is', 'muted')]],
  ['what no index knows', [{ ...term('sender', { id: 1 }), isNegated: true }]],
])('%s: whoever receives little looks at that, and fetches no index of what others write', async (_, terms) => {
  const { ids, plans, indexes } = await find(terms, quiet);
  const ofQuiet = await database.db.query('select id from message where channel_id = 8 or sent_channel_id = 8');
  const { rows, types } = messagesReadIn(plans.slice(-1));
  expect(ids.length).toBeGreaterThan(0);
  expect([...indexes]).not.toContain('message_search');
  expect(rows).toBeLessThanOrEqual(2 * ofQuiet.length);
  expect(types).not.toContain('Seq Scan');
});

test.each([
  ['a common one', 'lunch', someone],
  ['one without an index', 'c++', someone],
  ['a common one of somebody who receives little', 'lunch', { ...someone, ...quiet }],
])('what was sent before an alert word was added is not read: %s', async (_, word, facts) => {
  const [{ addedAtMs = 0 } = {}] = await database.db.query<{ addedAtMs: number }>(
    'select extract(epoch from max(sent_at))::bigint * 1000 as "addedAtMs" from message',
  );
  const findSince = (sinceMs: number) =>
    find([text('is', 'alerted')], { ...facts, alertWords: [{ word, addedAtMs: sinceMs }] });
  const later = await findSince(addedAtMs + 3_600_000);
  expect(later.ids).toEqual([]);
  expect(later.rows).toBeLessThan(10);
  // A message a minute.
  const { ids, rows } = await findSince(addedAtMs - 100 * 60_000);
  expect(Math.min(...ids, MESSAGES)).toBeGreaterThanOrEqual(MESSAGES - 101);
  // The window that is read first is wider.
  expect(rows).toBeLessThan(2_100);
});

test.each([10, 100])(
  'of %i channels that the reader was never in, nothing is read but what was moved',
  async (count) => {
    const strange = [2, ...Array.from({ length: count - 1 }, (_, nth) => 1_000 + nth)];
    const unknown = strange.map((id) => [id, { ...someone.channels.get(2), channelId: id, intervals: [] }]);
    const channels = new Map([...quiet.channels, ...unknown] as [number, ChannelReadFacts][]);
    const { ids, rows } = await find([text('channels', 'web-public')], { ...quiet, channels });
    expect(ids).toEqual([]);
    expect(rows).toBeLessThan(3_000);
  },
);

test('without alert words there is nothing to look for', async () => {
  expect(await find([text('is', 'alerted')], { alertWords: [] })).toMatchObject({ ids: [], statements: 0 });
});

/** A busy channel, which is muted, and a quiet one. */
const mostlyMuted = () => {
  const channelOf = (id: number, isMuted: boolean) => ({ ...someone.channels.get(id), isMuted }) as ChannelReadFacts;
  return { userId: 99, channels: new Map([2, 8].map((id) => [id, channelOf(id, id === 2)])) };
};

test.each<[string, NarrowTerm[]]>([
  ['a channel', [{ ...term('channel', { id: 2 }), isNegated: true }]],
  ['what is muted', [text('in', 'home')]],
])('where %s is left out, that is not gone through', async (_, terms) => {
  const { ids, rows, types } = await find(terms, mostlyMuted());
  const others = await database.db.query(
    'select id from message where 8 in (channel_id, sent_channel_id) or sent_channel_id = 2 and channel_id <> 2',
  );
  expect(ids.length).toBeGreaterThan(0);
  expect(rows).toBeLessThanOrEqual(2 * others.length);
  expect(types).not.toContain('Seq Scan');
});

test('a search of a user who receives little does not read others’ messages', async () => {
  const reader = { ...someone, ...quiet };
  const { sql, plans } = observed(database.db);
  const range = { realmId: 1, direction: 'before', fromId: MESSAGES + 1, limit: WANTED } as const;
  await findMessages({ db: sql as Context['db'] }, { reader, narrow: EVERYTHING }, range);
  const { indexes, types } = messagesReadIn(plans.slice(-1));
  expect([...indexes]).toEqual(expect.arrayContaining(['message_of_channel', 'message_moved_from']));
  expect(types).not.toContain('Seq Scan');
});

test('of a reader of hundreds of channels, no message is compared with each of them', async () => {
  const own = quiet.channels.get(8);
  const others = Array.from({ length: 300 }, (_, nth) => [1_000 + nth, { ...own, channelId: 1_000 + nth }] as const);
  const reader = { ...someone, userId: 99, channels: new Map([[8, own], ...others]) } as Reader;
  const { sql, plans } = observed(database.db);
  for (const limit of [WANTED, 1_000]) {
    const range = { realmId: 1, direction: 'before', fromId: MESSAGES + 1, limit } as const;
    await findMessages({ db: sql as Context['db'] }, { reader, narrow: EVERYTHING }, range);
  }
  // The lists of the few channels to which messages were moved for their subscribers are empty here.
  const ofMoved = /moved_version IS NOT NULL\) AND \([\w.]+ = ANY \(\$\d+\)\)/g;
  const filters = plans.flatMap(nodesOf).map((node) => (node.Filter ?? '').replace(ofMoved, ''));
  expect(filters.filter((filter) => / = ANY \(\$/.test(filter))).toEqual([]);
});

test('there is no statement when nothing is requested, or nothing can match', async () => {
  expect(await find([term('channel', { id: 1 }), text('topic', 'nowhere')])).toMatchObject({ ids: [], statements: 0 });
  const { sql, plans } = observed(database.db);
  const none = { realmId: 1, direction: 'before', fromId: 1, limit: 0 } as const;
  await findMessages({ db: sql as Context['db'] }, { reader: someone, narrow: EVERYTHING }, none);
  expect(plans).toEqual([]);
});
