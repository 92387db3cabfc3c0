import type { Sql } from '@parley/shared/db';

export interface Attempt {
  realmId: number;
  /** Of what is tried. */
  subjectHash: Buffer;
  nowMs: number;
}

/** Counts an attempt, unless there were too many within the window. False: it may not be made. All replicas count together. */
export async function countAttempt(
  sql: Sql,
  { realmId, subjectHash, nowMs }: Attempt,
  { maxAttempts, windowMs }: { maxAttempts: number; windowMs: number },
): Promise<boolean> {
  const rows = await sql.query(
    `insert into acceptance_attempt as a (realm_id, subject_hash, attempted_at, expires_at)
     values ($1, $2, array[to_timestamp($3 / 1000.0)], to_timestamp($5 / 1000.0))
     on conflict (realm_id, subject_hash) do update set
       attempted_at = array(select t from unnest(a.attempted_at) t where t > to_timestamp($4 / 1000.0)) || excluded.attempted_at,
       expires_at = excluded.expires_at
     where (select count(*) from unnest(a.attempted_at) t where t > to_timestamp($4 / 1000.0)) < $6
     returning 1`,
    [realmId, subjectHash, nowMs, nowMs - windowMs, nowMs + windowMs, maxAttempts],
  );
  return rows.length > 0;
}

/** Forgets attempts that count no more, so many at a time. */
export async function sweepAttempts(sql: Sql, nowMs: number, limit: number): Promise<void> {
  await sql.query(
    `delete from acceptance_attempt where (realm_id, subject_hash) in (
       select realm_id, subject_hash from acceptance_attempt where expires_at < to_timestamp($1 / 1000.0)
       limit $2 for update skip locked)`,
    [nowMs, limit],
  );
}
