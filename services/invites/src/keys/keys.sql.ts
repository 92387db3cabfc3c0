import type { Sql } from '@parley/shared/db';
import type { KeyKind } from './invitation-keys';

export interface NewKey {
  id: number;
  keyHash: Buffer;
  salt: Buffer;
}

const COLUMNS = { invitation: 'invitation_id', link: 'link_id' } as const satisfies Record<KeyKind, string>;

/** Stores keys, each of the invitation or link of its id. */
export async function insertKeys(
  sql: Sql,
  { realmId, kind, createdAtMs }: { realmId: number; kind: KeyKind; createdAtMs: number },
  keys: readonly NewKey[],
): Promise<void> {
  await sql.query(
    `insert into invitation_key (realm_id, key_hash, salt, ${COLUMNS[kind]}, created_at)
     select $1, key_hash, salt, id, to_timestamp($2 / 1000.0)
     from unnest($3::bytea[], $4::bytea[], $5::bigint[]) as new (key_hash, salt, id)`,
    [realmId, createdAtMs, keys.map(({ keyHash }) => keyHash), keys.map(({ salt }) => salt), keys.map(({ id }) => id)],
  );
}

/** The keys of these invitations or links, the newest first. */
export function listKeys(sql: Sql, realmId: number, kind: KeyKind, ids: readonly number[]): Promise<NewKey[]> {
  const column = COLUMNS[kind];
  return sql.query(
    `select ${column} as id, key_hash as "keyHash", salt from invitation_key
     where realm_id = $1 and ${column} = any($2) order by created_at desc, key_hash`,
    [realmId, ids],
  );
}

/** From now on nobody gets in by the keys of these invitations or links. */
export async function deleteKeys(sql: Sql, realmId: number, kind: KeyKind, ids: readonly number[]): Promise<void> {
  await sql.query(`delete from invitation_key where realm_id = $1 and ${COLUMNS[kind]} = any($2)`, [realmId, ids]);
}
