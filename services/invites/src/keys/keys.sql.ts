import { type RowOf, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import type { KeyKind } from './invitation-keys';

const INSERT = ofEachKind((column) =>
  statement(
    `insert into invitation_key (realm_id, key_hash, salt, ${column}, created_at)
     select $1, key_hash, salt, id, to_timestamp($2 / 1000.0)
     from unnest($3::bytea[], $4::bytea[], $5::bigint[]) as new (key_hash, salt, id)`,
  ),
);
const LIST = ofEachKind((column) =>
  statement(
    `select ${column} as id, key_hash as "keyHash", salt from invitation_key
     where realm_id = $1 and ${column} = any($2) order by created_at desc, key_hash`,
    { id: z.number(), keyHash: z.instanceof(Buffer), salt: z.instanceof(Buffer) },
  ),
);
const DELETE = ofEachKind((column) =>
  statement(`delete from invitation_key where realm_id = $1 and ${column} = any($2)`),
);

function ofEachKind<Declared>(declare: (column: string) => Declared): Record<KeyKind, Declared> {
  return { invitation: declare('invitation_id'), link: declare('link_id') };
}

/** A key of the invitation or link with this id. */
export type NewKey = RowOf<typeof LIST.link>;

/** Stores keys of invitations or links. */
export async function insertKeys(
  sql: Sql,
  { realmId, kind, createdAtMs }: { realmId: number; kind: KeyKind; createdAtMs: number },
  keys: readonly NewKey[],
): Promise<void> {
  const columns = [keys.map(({ keyHash }) => keyHash), keys.map(({ salt }) => salt), keys.map(({ id }) => id)];
  await sql.query(INSERT[kind], [realmId, createdAtMs, ...columns]);
}

/** The keys of these invitations or links, newest first. */
export function listKeys(sql: Sql, realmId: number, kind: KeyKind, ids: readonly number[]): Promise<NewKey[]> {
  return sql.query(LIST[kind], [realmId, ids]);
}

/** Deletes the keys of these invitations or links, so that they no longer open anything. */
export async function deleteKeys(sql: Sql, realmId: number, kind: KeyKind, ids: readonly number[]): Promise<void> {
  await sql.query(DELETE[kind], [realmId, ids]);
}
