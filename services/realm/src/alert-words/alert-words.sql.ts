import type { Sql } from '@parley/shared/db';
import type { AlertWordSince } from '@parley/shared/proto';

/** The user's words, in the order in which they were added. */
export async function listAlertWords(sql: Sql, realmId: number, userId: number): Promise<AlertWordSince[]> {
  return sql.query(
    'select word, added_at as "addedAtMs" from alert_word where realm_id = $1 and user_id = $2 order by position',
    [realmId, userId],
  );
}

interface NewAlertWords {
  realmId: number;
  userId: number;
  words: readonly { word: string; key: string }[];
  addedAtMs: number;
}

/** Adds those that the user does not have yet; returns how many there were. */
export async function insertAlertWords(
  sql: Sql,
  { realmId, userId, words, addedAtMs }: NewAlertWords,
): Promise<number> {
  const rows = await sql.query(
    `insert into alert_word (realm_id, user_id, word, word_key, added_at)
     select $1, $2, wanted.word, wanted.word_key, to_timestamp($5 / 1000.0)
     from unnest($3::text[], $4::text[]) with ordinality as wanted (word, word_key, n)
     order by wanted.n
     on conflict do nothing
     returning 1`,
    [realmId, userId, words.map(({ word }) => word), words.map(({ key }) => key), addedAtMs],
  );
  return rows.length;
}

/** Removes those that the user has; returns how many there were. */
export async function deleteAlertWords(
  sql: Sql,
  realmId: number,
  userId: number,
  wordKeys: readonly string[],
): Promise<number> {
  const rows = await sql.query(
    'delete from alert_word where realm_id = $1 and user_id = $2 and word_key = any($3) returning 1',
    [realmId, userId, wordKeys],
  );
  return rows.length;
}
