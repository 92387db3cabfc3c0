import { z } from 'zod';
import type { Draft } from '../proto';
import { messageShape } from '../proto';
import { testServers } from '../testing';
import { type Database, openDatabase } from './database';
import { composed, onlyRow, statement } from './sql';

let db: Database;

beforeAll(() => {
  db = openDatabase({ url: testServers().databaseUrl, poolSize: 1, applicationName: 'test' });
});
afterAll(() => db.close());

const PREPARED = `select name from pg_prepared_statements where statement = $1`;
const preparedAs = (text: string) => db.query<{ name: string }>(PREPARED, [text]);

describe('a statement', () => {
  test('is prepared once for each connection, under a name made from its text', async () => {
    const one = statement('select 1 as one', { one: z.number() });
    expect(await db.query(one)).toEqual([{ one: 1 }]);
    expect(await db.query(one)).toEqual([{ one: 1 }]);
    expect(await preparedAs(one.text)).toEqual([{ name: one.name }]);
    expect(statement('select 2 as two', { two: z.number() }).name).not.toBe(one.name);
  });

  test.each([
    ['insert-draft', 'insert into draft (id) values ($1) on conflict do update set id = $1'],
    ['update-draft', 'with old as (select id from draft for update) update draft set id = 1 from old'],
    ['delete-draft', 'delete from draft where id in (select id from other)'],
    ['select-draft', 'select id from draft where id = $1 for no key update'],
    ['select-draft', 'SELECT "public"."draft"."id" FROM "public"."draft"'],
    ['update-draft', 'UPDATE "public"."draft" SET "id" = $1'],
    ['select-', 'select 1 as one'],
  ])('is called %s, and a digest: %s', (deed, text) => {
    expect(statement(text).name).toMatch(new RegExp(`^${deed}-[\\w-]{22}$`));
  });

  test('is given lists of numbers', async () => {
    const list = statement(
      'select $1::bigint[] as ids, $2::bigint[] as none, $3::float8[] as reals, $4::text[] as texts',
      {
        ids: z.array(z.number()),
        none: z.array(z.number()),
        reals: z.array(z.number()),
        texts: z.array(z.string().nullable()),
      },
    );
    const values = [[1, 2 ** 53 - 1], [], [0.5, 1e21, -1e-7], ['a', null]];
    const [row] = await db.query(list, values);
    const [ids, none, reals, texts] = values;
    expect(row).toMatchObject({ ids, none, reals, texts });
    expect(await db.query('select $1::bigint[] = array[null, -3]::bigint[] as same', [[null, -3]])).toEqual([
      { same: true },
    ]);
  });

  test('has one plan for all values', async () => {
    const few = statement('select n::int as n from generate_series(1, $1::int) as n', { n: z.number() });
    for (const count of [0, 1, 2]) expect(await db.query(few, [count])).toHaveLength(count);
    const plans = 'select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements';
    expect(await db.query(`${plans} where name = $1`, [few.name])).toEqual([{ generic: 3, custom: 0 }]);
  });

  test('answers alike at every run, though its columns are asked for at the first one only', async () => {
    const shape = {
      id: z.number(),
      none: z.string().nullable(),
      list: z.unknown(),
      at: z.number(),
      isGood: z.boolean(),
    };
    const mixed = statement(
      `select $1::bigint as id, null::text as none, '[1]'::json as list, '1970-01-01Z'::timestamptz as at, true as "isGood"`,
      shape,
    );
    for (const id of [1, 2]) {
      expect(await db.query(mixed, [id])).toEqual([{ id, none: null, list: [1], at: 0, isGood: true }]);
    }
  });

  test('answers after its first run has failed', async () => {
    const ratio = statement('select 6 / $1::int as ratio', { ratio: z.number() });
    await expect(db.query(ratio, [0])).rejects.toThrow('division by zero');
    for (const by of [2, 3]) expect(await db.query(ratio, [by])).toEqual([{ ratio: 6 / by }]);
  });

  test('that is put together for one call is not prepared', async () => {
    const three = composed('select 3 as three', { three: z.number() });
    expect(await db.query(three)).toEqual([{ three: 3 }]);
    expect(await preparedAs(three.text)).toEqual([]);
  });

  test.each<[string, string, unknown]>([
    ['a text', 'text', "it's \\ $1 '; drop table x; --"],
    ['a backslash at the end', 'text', 'a\\'],
    ['nothing', 'text', null],
    ['a negative number', 'bigint', -(2 ** 53 - 1)],
    ['a boolean', 'boolean', false],
    ['numbers', 'bigint[]', [1, -2]],
    ['no numbers', 'bigint[]', []],
    ['texts', 'text[]', ['a,b', 'say "\\"', "it's", '', 'null', null]],
  ])('that is put together for one call is given %s', async (_, type, value) => {
    const text = `select $1::${type} as value, '$1' as "asIs", $1::${type} is not distinct from $2::${type} as "isSame"`;
    const given = composed(text, { value: z.unknown(), asIs: z.string(), isSame: z.boolean() });
    expect(await db.query(given, [value, value])).toEqual([{ value, asIs: '$1', isSame: true }]);
  });

  test('that is put together for one call is given nothing but texts, numbers, booleans, and lists of these', async () => {
    const given = composed('select $1 as value', { value: z.unknown() });
    await expect(db.query(given, [{ a: 1 }])).rejects.toThrow('values that are no texts, numbers');
    await expect(db.query(given, ['a\0b'])).rejects.toThrow();
  });

  test('that always answers with one row', async () => {
    expect(onlyRow(await db.query(statement('select 4 as four', { four: z.number() })))).toEqual({ four: 4 });
    const none = statement('select 4 as four where false', { four: z.number() });
    await expect(db.query(none).then(onlyRow)).rejects.toThrow('no row');
  });

  test.each([
    ['a column of another type', statement(`select 'x' as one`, { one: z.number() })],
    ['a column that may be null', statement('select null::int as one', { one: z.number() })],
    ['a column that was not declared', statement('select 1 as one, 2 as two', { one: z.number() })],
    ['a column that is missing', statement('select 1 as one', { one: z.number(), two: z.number() })],
    ['a row where none was declared', statement('select 1 as one')],
  ])('in tests refuses %s', async (_, wrong) => {
    await expect(db.query<unknown>(wrong)).rejects.toThrow('a row is not what its statement has declared');
  });
});

describe('a message built as JSON', () => {
  const draft = { draft: messageShape<Draft>('messages', 'Draft') };

  test('has the fields that the protocol declares', async () => {
    const text = `select json_build_object('id', 1, 'recipientIds', array[2, 3], 'topic', 'lunch') as draft`;
    expect(await db.query(statement(text, draft))).toEqual([
      { draft: { id: 1, recipientIds: [2, 3], topic: 'lunch' } },
    ]);
  });

  test('and those that are named beside', async () => {
    const counted = messageShape<Draft & { count: number }>('messages', 'Draft', { count: z.number() });
    const text = `select json_build_object('id', 1, 'count', 2) as draft`;
    expect(await db.query(statement(text, { draft: counted }))).toEqual([{ draft: { id: 1, count: 2 } }]);
    await expect(db.query(statement(`select '{"id": 1}'::json as draft`, { draft: counted }))).rejects.toThrow('count');
  });

  test.each([`'tpoic', 'lunch'`, `'id', 'one'`, `'recipientIds', 2`, `'topic', null`])(
    'and no others: %s',
    async (fields) => {
      const wrong = statement(`select json_build_object(${fields}) as draft`, draft);
      await expect(db.query(wrong)).rejects.toThrow('a row is not what its statement has declared');
    },
  );
});
