import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { hasPgbouncer, Pgbouncer } from '../../test/pgbouncer';
import { silentLogger } from '../observability';
import { testPrefix, testServers, until } from '../testing';
import { databaseUrl, inspectServer, migrate, openDatabase, statement, withAdvisoryLock } from './index';

const NO_MIGRATIONS = mkdtempSync(path.join(tmpdir(), 'parley-none-'));

test('PostgreSQL itself is no pooler', async () => {
  expect(await inspectServer(testServers().databaseUrl)).toEqual({ isPooled: false });
});

const describeIf = hasPgbouncer() ? describe : describe.skip;
if (!hasPgbouncer()) process.stderr.write('there is no pgbouncer: nothing is tried through it\n');

describeIf('pgbouncer', () => {
  let pgbouncer: Pgbouncer;
  beforeEach(() => {
    pgbouncer = new Pgbouncer();
  });
  afterEach(() => pgbouncer.stop());

  test('that pools sessions bears migrations, settings, named statements and locks', async () => {
    const server = await pgbouncer.start(testServers().databaseUrl, ['pool_mode = session']);
    const url = databaseUrl(server, testPrefix(), 'thing');
    await migrate({ url, service: 'thing', directory: NO_MIGRATIONS, log: silentLogger });
    const { isPooled } = await inspectServer(url);
    expect(isPooled).toBe(true);
    const db = openDatabase({ url, poolSize: 3, applicationName: 'test', isPooled });
    const settings = statement(
      `select current_setting('jit') as jit, current_setting('statement_timeout') as timeout`,
      { jit: z.string(), timeout: z.string() },
    );
    const found = await Promise.all([1, 2, 3, 4].map(() => db.query(settings)));
    expect(found).toEqual([1, 2, 3, 4].map(() => [{ jit: 'off', timeout: '1min' }]));
    const others: boolean[] = [];
    const lock = () =>
      withAdvisoryLock(url, 'test', async () => void others.push(await withAdvisoryLock(url, 'test', async () => {})));
    expect(await lock()).toBe(true);
    // The pooler ends a session a moment after its client has left.
    await until(lock);
    expect(others).toEqual([false, false]);
    await db.close();
  }, 30_000);

  test('that has no connection left is named in the error after ten seconds', async () => {
    const url = await pgbouncer.start(testServers().databaseUrl, ['pool_mode = session', 'default_pool_size = 1']);
    const [one, other] = [1, 2].map(() => openDatabase({ url, poolSize: 1, applicationName: 'test', isPooled: true }));
    await one?.query('select 1');
    const cause = { message: expect.stringContaining('see its default_pool_size') };
    await expect(other?.query('select 1')).rejects.toMatchObject({ code: 'SERVER_NOT_READY', cause });
    await one?.close();
    expect(await other?.query('select 1 as one')).toEqual([{ one: 1 }]);
    await other?.close();
  }, 30_000);

  test.each([
    ['transaction', []],
    ['transaction', ['server_round_robin = 1']],
    ['transaction', ['default_pool_size = 1']],
    ['statement', []],
  ])(
    'that pools by %s %j is refused in one sentence',
    async (mode, more) => {
      const server = await pgbouncer.start(testServers().databaseUrl, [`pool_mode = ${mode}`, ...more]);
      await expect(inspectServer(server)).rejects.toThrow(/^DATABASE_URL leads to a pooler that shares connections/);
    },
    30_000,
  );
});
