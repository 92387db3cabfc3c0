import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger, type Logger } from '../observability';
import { openTestDatabase, type TestDatabase } from '../testing';
import { checkSecret, madeUpSecret } from './secret-fingerprint';

const TABLE = 'create table secret_fingerprint (name text primary key, fingerprint bytea not null);';
const [SECRET, OTHER] = ['s'.repeat(32), 't'.repeat(32)];

const directory = mkdtempSync(path.join(tmpdir(), 'parley-migrations-'));
writeFileSync(path.join(directory, '000001-secret-fingerprints.sql'), TABLE);

let database: TestDatabase;
let warnings: string[];
beforeEach(async () => {
  database = await openTestDatabase({ service: 'secrets', directory }, 2);
  warnings = [];
});
afterEach(() => database.close());

function start(secret: string): Promise<void> {
  const log = createLogger('test', 'silent');
  log.warn = ((text: string) => warnings.push(text)) as Logger['warn'];
  return checkSecret({ db: database.db, log }, 'THE_SECRET', secret);
}

test('a start without the secret used before is refused, with the remedy', async () => {
  await start(madeUpSecret());
  await start(madeUpSecret());
  await start(SECRET);
  await expect(start(madeUpSecret())).rejects.toThrow(
    /^THE_SECRET must be set, since .*: set it to what it was or, .* to a new one/,
  );
  expect(warnings).toEqual([]);
});

test('another secret is accepted, and reported once', async () => {
  await start(SECRET);
  await start(SECRET);
  expect(warnings).toEqual([]);
  await start(OTHER);
  await start(OTHER);
  expect(warnings).toEqual([expect.stringMatching(/^THE_SECRET is another one than at the last start/)]);
});

test('replicas that start at once agree, and the secret itself is nowhere', async () => {
  await Promise.all([start(SECRET), start(SECRET)]);
  expect(warnings).toEqual([]);
  const rows = await database.db.query<{ row: string }>('select f::text as row from secret_fingerprint f');
  expect(rows).toHaveLength(1);
  expect(rows[0]?.row).not.toContain(Buffer.from(SECRET).toString('hex'));
});
