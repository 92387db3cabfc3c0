import { onlyRow, type RowOf, type Sql, statement } from '@parley/shared/db';
import type { BotStorageEntry } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { z } from 'zod';

// SQL, not Prisma: a bot may have ten thousand keys, which are sent as one array.

type Bot = Pick<Caller, 'realmId' | 'userId'>;

const STORE = statement(
  `insert into bot_storage (realm_id, user_id, key, value)
   select $1, $2, e.key, e.value from unnest($3::text[], $4::text[]) as e (key, value)
   on conflict (realm_id, user_id, key) do update set value = excluded.value`,
);

/** Stores values, replacing those of existing keys. */
export async function storeEntries(
  sql: Sql,
  { realmId, userId }: Bot,
  entries: readonly BotStorageEntry[],
): Promise<void> {
  await sql.query(STORE, [realmId, userId, entries.map(({ key }) => key), entries.map(({ value }) => value)]);
}

const LIST = statement(
  `select key, value from bot_storage
   where realm_id = $1 and user_id = $2 and ($3::text[] is null or key = any($3)) order by key`,
  { key: z.string(), value: z.string() },
);

/** Entries of those keys, or all; sorted by key. */
export function listEntries(
  sql: Sql,
  { realmId, userId }: Bot,
  keys: readonly string[] | null,
): Promise<BotStorageEntry[]> {
  return sql.query(LIST, [realmId, userId, keys]);
}

const DELETE = statement(
  `delete from bot_storage where realm_id = $1 and user_id = $2 and ($3::text[] is null or key = any($3)) returning key`,
  { key: z.string() },
);

/** Deletes entries of those keys, or all; returns the deleted keys. */
export async function deleteEntries(
  sql: Sql,
  { realmId, userId }: Bot,
  keys: readonly string[] | null,
): Promise<string[]> {
  const rows = await sql.query(DELETE, [realmId, userId, keys]);
  return rows.map(({ key }) => key);
}

/** `characters`: sum over keys and values. */
const SIZE = statement(
  `select count(*)::int as keys, coalesce(sum(char_length(key) + char_length(value)), 0)::int as characters
   from bot_storage where realm_id = $1 and user_id = $2`,
  { keys: z.number(), characters: z.number() },
);

export type StorageSize = RowOf<typeof SIZE>;

export async function sizeOfStorage(sql: Sql, { realmId, userId }: Bot): Promise<StorageSize> {
  return onlyRow(await sql.query(SIZE, [realmId, userId]));
}
