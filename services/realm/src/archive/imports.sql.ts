import type { Sql, Transaction } from '@parley/shared/db';

/** Nobody may have a subdomain of this form, and until its import is finished nobody can ask for it: see findRealmBySubdomain(). */
const NAMELESS = `'-import-' || gen_random_uuid()`;

/** Makes a closed organization, whose data is deleted from a time on; answers its id. */
export async function insertImported(
  tx: Transaction,
  { nowMs, dataDeletedFromMs }: { nowMs: number; dataDeletedFromMs: number },
): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `insert into realm (subdomain, name, created_at, is_deactivated, import_began_at, data_deleted_from)
     values (${NAMELESS}, '', to_timestamp($1 / 1000.0), true, to_timestamp($1 / 1000.0), to_timestamp($2 / 1000.0))
     returning id`,
    [nowMs, dataDeletedFromMs],
  );
  return (row as { id: number }).id;
}

export interface FinishedImport {
  realmId: number;
  subdomain: string;
  uuid: string;
  isDeactivated: boolean;
}

/** It is an organization like others from now on; false: it is being imported no longer. Violates SUBDOMAIN_IS_UNIQUE. */
export async function storeFinishedImport(
  tx: Transaction,
  { realmId, subdomain, uuid, isDeactivated }: FinishedImport,
  nowMs: number,
): Promise<boolean> {
  const rows = await tx.query(
    `update realm set subdomain = $2, is_deactivated = $4, deactivated_at = case when $4 then deactivated_at end, import_began_at = null, data_deleted_from = null,
       uuid = case when exists (select from realm other where other.uuid = $3::uuid) then realm.uuid else $3::uuid end
     where id = $1 and import_began_at is not null and data_deleted_from > to_timestamp($5 / 1000.0) returning 1`,
    [realmId, subdomain, uuid, isDeactivated, nowMs],
  );
  return rows.length > 0;
}

export async function endImport(tx: Transaction, realmId: number, nowMs: number): Promise<void> {
  await tx.query(
    'update realm set data_deleted_from = to_timestamp($2 / 1000.0) where id = $1 and import_began_at is not null',
    [realmId, nowMs],
  );
}

/** Nothing else is left of it. */
export async function deleteImported(sql: Sql, realmId: number): Promise<void> {
  await sql.query('delete from realm where id = $1 and import_began_at is not null', [realmId]);
}

export async function isBeingImported(sql: Sql, realmId: number): Promise<boolean> {
  const rows = await sql.query('select 1 from realm where id = $1 and import_began_at is not null', [realmId]);
  return rows.length > 0;
}
