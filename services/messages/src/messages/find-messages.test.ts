import type { Sql, Statement } from '@parley/shared/db';
import type { NarrowTerm } from '@parley/shared/proto';
import { type Caller, newCall } from '@parley/shared/rpc';
import { makeMessages, READER_ID, reader, storeOrganization } from '../../test/narrow-organization';
import { openTestDatabase } from '../../test/open-test-database';
import { term } from '../../test/terms';
import type { Context } from '../context';
import { compileNarrow } from '../narrows/compile-narrow';
import { EVERYTHING } from '../narrows/narrow';
import { type Direction, findMessages, type Search } from './find-messages';

const MESSAGES = 40_000;
const WANTED = 100;
const caller: Caller = { ...newCall(), realmId: 1, userId: READER_ID };

let database: Awaited<ReturnType<typeof openTestDatabase>>;

beforeAll(async () => {
  database = await openTestDatabase();
  await storeOrganization(database.db, makeMessages(MESSAGES));
  // What others are told and like.
  const others = `select 1, 100 + i % 50, i from generate_series(1, ${MESSAGES}) i`;
  await database.db.query(`insert into mention (realm_id, user_id, message_id) ${others}`);
  await database.db.query(
    `insert into personal_flag (realm_id, user_id, message_id, is_starred) ${others.replace('i from', 'i, true from')}`,
  );
  await database.db.query('vacuum analyze');
}, 120_000);

afterAll(() => database.close());

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

/** A database that also keeps how it did what it was asked. */
function observed(): { sql: Sql; plans: Plan[] } {
  const plans: Plan[] = [];
  const query = async <Row>(sql: Statement | string, values: readonly unknown[] = []): Promise<Row[]> => {
    const text = typeof sql === 'string' ? sql : sql.text;
    const [row] = await database.db.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (analyze, format json) ${text}`,
      values,
    );
    if (row) plans.push(...row['QUERY PLAN'].map(({ Plan }) => Plan));
    return database.db.query(sql, values);
  };
  return { sql: { query }, plans };
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** How many messages were read, and by which indexes. */
function messagesReadIn(plans: Plan[]) {
  const nodes = plans.flatMap(nodesOf);
  const scans = nodes.filter((node) => node['Relation Name'] === 'message');
  const rowsOf = (node: Plan) =>
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
    node['Actual Loops'];
  return {
    rows: scans.reduce((sum, node) => sum + rowsOf(node), 0),
    types: scans.map((node) => node['Node Type']),
    indexes: new Set(nodes.flatMap((node) => node['Index Name'] ?? [])),
  };
}

async function find(terms: NarrowTerm[], direction: Direction = 'before', fromId = MESSAGES + 1) {
  const ctx = {
    db: database.db,
    getSendFacts: () => Promise.resolve({ recipients: [{ id: 7, email: '', deliveryEmail: '' }] }),
  };
  const search: Search = { reader, narrow: await compileNarrow(ctx as unknown as Context, caller, terms, reader) };
  const { sql, plans } = observed();
  const range = { realmId: 1, direction, fromId, limit: WANTED };
  const ids = await findMessages({ db: sql as Context['db'] }, search, range);
  return { ids, ...messagesReadIn(plans), statements: plans.length };
}

const text = (operator: string, operand: string) => term(operator, { text: operand });

test.each<[string, NarrowTerm[], string[], number]>([
  ['a channel', [term('channel', { id: 1 })], ['message_of_channel'], 2 * WANTED],
  ['a topic', [term('channel', { id: 1 }), text('topic', 'reports')], ['message_of_conversation'], 2 * WANTED],
  ['the feed', [], ['message_pkey'], 6_000],
  ['direct messages', [text('is', 'dm')], ['message_of_conversation'], 9 * WANTED],
  ['mentions', [text('is', 'mentioned')], ['mention_pkey'], 3 * WANTED],
  ['stars', [text('is', 'starred')], ['personal_flag_starred'], 2 * WANTED],
  ['a common word', [text('search', 'lunch')], ['message_pkey'], 6_000],
])('%s: newest messages come by an index, and few others are read', async (_, terms, indexes, most) => {
  const { ids, rows, types, indexes: used } = await find(terms);
  expect(ids).toHaveLength(WANTED);
  expect([...used]).toEqual(expect.arrayContaining(indexes));
  expect(types).not.toContain('Seq Scan');
  expect(rows).toBeLessThanOrEqual(most);
});

test.each<[string, NarrowTerm[], string]>([
  ['a rare word', [text('search', 'zebra')], 'message_search'],
  ['a rare sender', [term('sender', { id: 7 })], 'message_of_sender'],
  ['images', [text('has', 'image')], 'message_with_image'],
])('%s is found by its index once two windows had too little of it', async (_, terms, index) => {
  const { indexes, statements, types } = await find(terms);
  expect(statements).toBe(3);
  expect([...indexes]).toContain(index);
  expect(types).not.toContain('Seq Scan');
});

test('who receives little does not go through what others write', async () => {
  const quiet = { ...reader, userId: 99, channels: new Map([...reader.channels].filter(([id]) => id === 8)) };
  const { sql, plans } = observed();
  const range = { realmId: 1, direction: 'before', fromId: MESSAGES + 1, limit: WANTED } as const;
  await findMessages({ db: sql as Context['db'] }, { reader: quiet, narrow: EVERYTHING }, range);
  const { indexes, types } = messagesReadIn(plans.slice(-1));
  expect([...indexes]).toEqual(expect.arrayContaining(['message_of_channel', 'message_moved']));
  expect(types).not.toContain('Seq Scan');
});

test('nothing is asked of the database when nothing is wanted, or nothing can be meant', async () => {
  expect(await find([term('channel', { id: 1 }), text('topic', 'nowhere')])).toMatchObject({ ids: [], statements: 0 });
  const { sql, plans } = observed();
  const none = { realmId: 1, direction: 'before', fromId: 1, limit: 0 } as const;
  await findMessages({ db: sql as Context['db'] }, { reader, narrow: EVERYTHING }, none);
  expect(plans).toEqual([]);
});
