import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';

const SHARED_MIGRATIONS = path.resolve(__dirname, '../../migrations');
const FILE_NAME = /^\d{6}-[a-z0-9-]+\.sql$/;

export interface Migration {
  name: string;
  text: string;
  sha256: string;
}

/** What a service's database is made of, in order: the outbox, which all of them have, then the files of the service's folder. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  return [...(await readFolder(SHARED_MIGRATIONS, 'shared/')), ...(await readFolder(directory, ''))];
}

async function readFolder(directory: string, prefix: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => FILE_NAME.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = (await readFile(path.join(directory, name), 'utf8')).replace(/\r\n/g, '\n');
      return { name: prefix + name, text, sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Those that the database does not have yet. Throws when one is not what it was when it was applied. */
export async function findMissing(client: pg.Client, service: string, migrations: readonly Migration[]) {
  const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from schema_migration');
  const done = new Map(rows.map((row) => [row.name, row.sha256]));
  const changed = migrations.find(({ name, sha256 }) => (done.get(name) ?? sha256) !== sha256);
  if (changed) throw new Error(`${service}: ${changed.name} was changed after it was applied`);
  return migrations.filter(({ name }) => !done.has(name));
}
