import type { Sql } from '../db';

export async function hasFingerprint(sql: Sql, name: string): Promise<boolean> {
  const rows = await sql.query('select from secret_fingerprint where name = $1', [name]);
  return rows.length > 0;
}

/** Answers with the one before, if there was any. */
export async function storeFingerprint(sql: Sql, name: string, fingerprint: Buffer): Promise<Buffer | null> {
  const [row] = await sql.query<{ former: Buffer | null }>(
    `insert into secret_fingerprint (name, fingerprint) values ($1, $2)
     on conflict (name) do update set fingerprint = excluded.fingerprint
     returning (select s.fingerprint from secret_fingerprint s where s.name = $1) as former`,
    [name, fingerprint],
  );
  return row?.former ?? null;
}
