import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Database, databaseUrl, migrate, openDatabase } from '../db';
import { silentLogger } from '../observability';
import { schemaAgreement, testPrefix, testServers } from './index';

const INIT = `create table thing (
  realm_id bigint not null, id bigint not null, name text not null, note text, tags text[] not null, made_at timestamptz not null
);`;

const AGREEING = `
model Thing {
  realmId Int      @map("realm_id")
  id      Int
  name    String
  note    String?
  tags    String[]
  madeAt  DateTime @map("made_at") @db.Timestamptz

  @@id([realmId, id])
  @@map("thing")
}`;

let database: Database;

beforeAll(async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'parley-migrations-'));
  writeFileSync(path.join(directory, '000001-init.sql'), INIT);
  const url = databaseUrl(testServers().databaseUrl, testPrefix(), 'thing');
  await migrate({ url, service: 'thing', directory, log: silentLogger });
  database = openDatabase({ url, poolSize: 1, applicationName: 'test' });
});

afterAll(() => database.close());

describe('schemaAgreement', () => {
  test('finds nothing when Prisma and the database say the same', async () => {
    expect(await schemaAgreement([AGREEING], database)).toEqual([]);
  });

  test.each([
    ['name    String', 'name    Int', 'thing.name: is Int in Prisma, text in the database'],
    ['id      Int', 'id      BigInt', 'thing.id: is BigInt in Prisma, bigint in the database'],
    ['name    String', 'name    String?', 'thing.name: may be null in Prisma, not in the database'],
    ['note    String?', 'note    String', 'thing.note: may be null in the database, not in Prisma'],
    ['tags    String[]', 'tags    String', 'thing.tags: is String in Prisma, ARRAY in the database'],
    ['  note    String?\n', '', 'thing.note: no Prisma file describes it'],
    ['  note', '  size Int\n  note', 'thing.size: no migration makes it'],
  ])('reports when %p became %p', async (said, instead, difference) => {
    expect(await schemaAgreement([AGREEING.replace(said, instead)], database)).toEqual([difference]);
  });

  test('reports whole tables that only one side has', async () => {
    expect(await schemaAgreement([AGREEING.replaceAll('hing', 'ing')], database)).toEqual([
      'thing: no Prisma file describes it',
      'ting: no migration makes it',
    ]);
  });
});
