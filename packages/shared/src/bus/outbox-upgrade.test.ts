import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { databaseUrl } from '../db';
import { testPrefix, testServers } from '../testing';

const MIGRATIONS = path.resolve(__dirname, '../../migrations');
/** The migrations of the previous version, whose outbox is not partitioned. */
const FORMER = ['000001-outbox.sql', '000002-refill.sql', '000003-event-transaction.sql'];
const INSERT = `insert into outbox (realm_id, kind, payload) values (1, 'thing', '{}') returning id`;

const prefix = testPrefix();
const clients: pg.Client[] = [];

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  clients.push(client);
  return client;
}

async function apply(client: pg.Client, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await client.query(`begin; ${readFileSync(path.join(MIGRATIONS, name), 'utf8')}; commit`);
  }
}

let former: pg.Client;
let migrating: pg.Client;

beforeAll(async () => {
  const server = await connect(testServers().databaseUrl);
  await server.query(`create database ${prefix}_thing`);
  const url = databaseUrl(testServers().databaseUrl, prefix, 'thing');
  [former, migrating] = [await connect(url), await connect(url)];
});
afterAll(async () => {
  for (const client of clients) await client.end();
});

test('an outbox with rows becomes the first partition without being rewritten or read under a lock, and the previous version can use it', async () => {
  const announce = async () => Number((await former.query({ name: 'insert', text: INSERT })).rows[0].id);
  await apply(migrating, FORMER);
  await former.query(
    `insert into outbox (realm_id, kind, payload) select 1, 'thing', '{}' from generate_series(1, 1000)`,
  );
  expect(await announce()).toBe(1001);
  const fileOf = async (name: string) =>
    (await migrating.query(`select pg_relation_filenode('${name}') as id`)).rows[0].id;
  const file = await fileOf('outbox');
  const notices: (string | undefined)[] = [];
  migrating.on('notice', ({ message }) => notices.push(message));
  await migrating.query('set client_min_messages = debug1');

  const latter = readdirSync(MIGRATIONS).filter((name) => !FORMER.includes(name));
  for (const [index, name] of latter.sort().entries()) {
    await apply(migrating, [name]);
    expect(await announce()).toBe(1002 + index);
  }
  expect(await fileOf('outbox_first')).toBe(file);
  // Otherwise PostgreSQL would read the rows under an exclusive lock.
  expect(notices).toContain('partition constraint for table "outbox_first" is implied by existing constraints');
  const last = 1001 + latter.length;
  const { rows } = await former.query('select count(*)::int as count, max(id)::int as last from outbox_first');
  expect(rows).toEqual([{ count: last, last }]);
  // As the relay of the previous version deletes expired rows.
  const deleted = await former.query(
    'delete from outbox where id = any(array(select id from outbox order by id limit 500))',
  );
  expect(deleted.rowCount).toBe(500);
  expect(
    (await migrating.query('select create_outbox_partition() as has_next_step, drop_outbox_partition() as dropped'))
      .rows,
  ).toEqual([{ has_next_step: false, dropped: false }]);
});
