import { type Sql, statement, type Transaction } from '@parley/shared/db';
import type { AlertWordSince } from '@parley/shared/proto';
import { z } from 'zod';

// As SQL, because a user may have a thousand: Prisma would hold the event loop for some 150 ms.

const LIST = statement(
  'select word, added_at as "addedAtMs" from alert_word where realm_id = $1 and user_id = $2 order by position',
  { word: z.string(), addedAtMs: z.number() },
);

/** The user's words, oldest first. */
export function listAlertWords(sql: Sql, realmId: number, userId: number): Promise<AlertWordSince[]> {
  return sql.query(LIST, [realmId, userId]);
}

export interface AlertWord {
  word: string;
  wordKey: string;
}

const INSERT = statement(
  `insert into alert_word (realm_id, user_id, word, word_key, added_at)
   select $1, $2, wanted.word, wanted.word_key, to_timestamp($5 / 1000.0)
   from unnest($3::text[], $4::text[]) with ordinality as wanted (word, word_key, n)
   order by wanted.n
   on conflict do nothing
   returning position`,
  { position: z.number() },
);

/** Adds the words that the user does not have yet; returns their number. */
export async function insertAlertWords(
  tx: Transaction,
  { realmId, userId, words, addedAtMs }: { realmId: number; userId: number; words: AlertWord[]; addedAtMs: number },
): Promise<number> {
  const [texts, keys] = [words.map(({ word }) => word), words.map(({ wordKey }) => wordKey)];
  return (await tx.query(INSERT, [realmId, userId, texts, keys, addedAtMs])).length;
}

const DELETE = statement(
  'delete from alert_word where realm_id = $1 and user_id = $2 and word_key = any($3) returning position',
  { position: z.number() },
);

/** Removes the words that the user has; returns their number. */
export async function deleteAlertWords(
  tx: Transaction,
  { realmId, userId, words }: { realmId: number; userId: number; words: AlertWord[] },
): Promise<number> {
  return (await tx.query(DELETE, [realmId, userId, words.map(({ wordKey }) => wordKey)])).length;
}
