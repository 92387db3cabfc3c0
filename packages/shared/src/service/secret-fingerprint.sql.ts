import { z } from 'zod';
import { type Sql, statement } from '../db';

const FIND = statement('select name from secret_fingerprint where name = $1', { name: z.string() });

export async function hasFingerprint(sql: Sql, name: string): Promise<boolean> {
  return (await sql.query(FIND, [name])).length > 0;
}

const STORE = statement(
  `insert into secret_fingerprint (name, fingerprint) values ($1, $2)
   on conflict (name) do update set fingerprint = excluded.fingerprint
   returning (select s.fingerprint from secret_fingerprint s where s.name = $1) as former`,
  { former: z.instanceof(Buffer).nullable() },
);

/** Returns the previous one, if there was any. */
export async function storeFingerprint(sql: Sql, name: string, fingerprint: Buffer): Promise<Buffer | null> {
  const [row] = await sql.query(STORE, [name, fingerprint]);
  return row?.former ?? null;
}
