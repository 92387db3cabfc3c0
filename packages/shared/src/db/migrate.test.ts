import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger, silentLogger } from '../observability';
import { testPrefix, testServers } from '../testing';
import { awaitSchema, databaseUrl, migrate, openDatabase } from './index';

const INIT = `create table thing (id int); create function one() returns int language sql as $$ select 1; $$;`;
const INDEX = `-- migrate: no-transaction\ncreate index concurrently if not exists thing_id on thing (id);`;

function folder(files: Record<string, string>): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'parley-migrations-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(directory, name), text);
  return directory;
}

const freshUrl = () => databaseUrl(testServers().databaseUrl, testPrefix(), 'thing');
const run = (url: string, directory: string) => migrate({ url, service: 'thing', directory, log: silentLogger });

describe('migrate', () => {
  test('five replicas that start at once on a missing database apply each file once', async () => {
    const url = freshUrl();
    const directory = folder({ '000001-init.sql': INIT, '000002-index.sql': INDEX });
    const applied = await Promise.all(Array.from({ length: 5 }, () => run(url, directory)));
    const shared = readdirSync(path.join(__dirname, '../../migrations')).map((name) => `shared/${name}`);
    expect(shared).toContain('shared/000001-outbox.sql');
    expect(applied.flat().sort()).toEqual(['000001-init.sql', '000002-index.sql', ...shared]);
    const database = openDatabase({ url, poolSize: 2, applicationName: 'test' });
    expect(await database.query('select one()')).toEqual([{ one: 1 }]);
    await database.close();
  });

  test('refuses a file that was changed after it was applied, and says which', async () => {
    const url = freshUrl();
    await run(url, folder({ '000001-init.sql': INIT }));
    await expect(run(url, folder({ '000001-init.sql': `${INIT} ` }))).rejects.toThrow('000001-init.sql was changed');
  });

  test('that loses its connection is rejected', async () => {
    const directory = folder({ '000001-init.sql': 'select pg_terminate_backend(pg_backend_pid())' });
    await expect(run(freshUrl(), directory)).rejects.toThrow(/terminat/);
  });

  test('a failing file leaves nothing behind and can be mended', async () => {
    const url = freshUrl();
    const broken = folder({ '000001-init.sql': `${INIT} create table nonsense (id nonsense);` });
    await expect(run(url, broken)).rejects.toThrow('000001-init.sql: type "nonsense" does not exist');
    expect(await run(url, folder({ '000001-init.sql': INIT }))).toEqual(['000001-init.sql']);
  });

  test('a file that must wait for a lock lets others read meanwhile, and is applied in the end', async () => {
    const url = freshUrl();
    await run(url, folder({ '000001-init.sql': INIT }));
    const database = openDatabase({ url, poolSize: 2, applicationName: 'test' });
    const changing = await database.transaction(async (tx) => {
      await tx.query('select id from thing');
      const under = run(
        url,
        folder({ '000001-init.sql': INIT, '000002-name.sql': 'alter table thing add name text;' }),
      );
      const isWaiting = `select 1 from pg_locks where not granted and relation = 'thing'::regclass`;
      while ((await database.query(isWaiting)).length === 0);
      // Queued behind the waiting one, until that gives up.
      expect(await database.query('select id from thing')).toEqual([]);
      return { under };
    });
    expect(await changing.under).toEqual(['000002-name.sql']);
    await database.close();
  });

  test('an index whose build was interrupted is built again', async () => {
    const url = freshUrl();
    const unique = INDEX.replace('create index', 'create unique index');
    await run(url, folder({ '000001-init.sql': INIT }));
    const database = openDatabase({ url, poolSize: 1, applicationName: 'test' });
    await database.query('insert into thing (id) values (1), (1)');
    await expect(run(url, folder({ '000001-init.sql': INIT, '000002-index.sql': unique }))).rejects.toThrow(
      '000002-index',
    );
    await database.query('truncate thing');
    await run(url, folder({ '000001-init.sql': INIT, '000002-index.sql': unique }));
    expect(await database.query(`select indisvalid from pg_index where indexrelid = 'thing_id'::regclass`)).toEqual([
      { indisvalid: true },
    ]);
    await database.close();
  });
});

describe('a start that must not migrate', () => {
  /** Waits, and returns the lock that it waits for. */
  function wait(url: string, directory: string) {
    const stopping = new AbortController();
    let logged = (_: string[]) => {};
    const lacking = new Promise<string[]>((resolve) => (logged = resolve));
    const log = createLogger('thing', 'warn', { write: (line) => logged(JSON.parse(line).missing) });
    const done = awaitSchema({ url, service: 'thing', directory, log }, stopping.signal);
    return { done, lacking, stop: () => stopping.abort() };
  }

  test('waits for the migrations that it knows, however many others there are', async () => {
    const url = freshUrl();
    const former = folder({ '000001-init.sql': INIT });
    const present = folder({ '000001-init.sql': INIT, '000002-index.sql': INDEX });
    await run(url, former);
    const waiting = wait(url, present);
    expect(await waiting.lacking).toEqual(['000002-index.sql']);
    await run(url, present);
    await waiting.done;
    await wait(url, former).done;
  });

  test('waits for a database, too, until it is stopped', async () => {
    const waiting = wait(freshUrl(), folder({ '000001-init.sql': INIT }));
    expect(await waiting.lacking).toContain('000001-init.sql');
    waiting.stop();
    await expect(waiting.done).rejects.toThrow('aborted');
  });

  test('refuses a schema of which a file is another than its own', async () => {
    const url = freshUrl();
    await run(url, folder({ '000001-init.sql': INIT }));
    await expect(wait(url, folder({ '000001-init.sql': `${INIT} ` })).done).rejects.toThrow(
      '000001-init.sql was changed',
    );
  });
});
