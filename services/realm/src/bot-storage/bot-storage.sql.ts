import type { Sql } from '@parley/shared/db';
import type { BotStorageEntry } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';

type Bot = Pick<Caller, 'realmId' | 'userId'>;

/** Replaces the values of keys that there are. */
export async function storeEntries(sql: Sql, { realmId, userId }: Bot, entries: readonly BotStorageEntry[]) {
  await sql.query(
    `insert into bot_storage (realm_id, user_id, key, value)
     select $1, $2, e.key, e.value from unnest($3::text[], $4::text[]) as e (key, value)
     on conflict (realm_id, user_id, key) do update set value = excluded.value`,
    [realmId, userId, entries.map(({ key }) => key), entries.map(({ value }) => value)],
  );
}

/** Of those keys, or of all; sorted by key. */
export async function listEntries(
  sql: Sql,
  { realmId, userId }: Bot,
  keys: readonly string[] | null,
): Promise<BotStorageEntry[]> {
  return sql.query<BotStorageEntry>(
    `select key, value from bot_storage
     where realm_id = $1 and user_id = $2 and ($3::text[] is null or key = any($3)) order by key`,
    [realmId, userId, keys],
  );
}

/** Of those keys, or of all; answers those that there were. */
export async function deleteEntries(
  sql: Sql,
  { realmId, userId }: Bot,
  keys: readonly string[] | null,
): Promise<string[]> {
  const rows = await sql.query<{ key: string }>(
    `delete from bot_storage where realm_id = $1 and user_id = $2 and ($3::text[] is null or key = any($3)) returning key`,
    [realmId, userId, keys],
  );
  return rows.map(({ key }) => key);
}

export interface StorageSize {
  keys: number;
  /** Of keys and values together. */
  characters: number;
}

export async function sizeOfStorage(sql: Sql, { realmId, userId }: Bot): Promise<StorageSize> {
  const [size] = await sql.query<StorageSize>(
    `select count(*)::int as keys, coalesce(sum(char_length(key) + char_length(value)), 0)::int as characters
     from bot_storage where realm_id = $1 and user_id = $2`,
    [realmId, userId],
  );
  return size as StorageSize;
}
