import type { RealmTable, Sql, Transaction } from '@parley/shared/db';

/** Kept when an organization is purged, and deleted later: see keepForgettingAudits(). */
export const KEPT_TABLES: readonly RealmTable[] = [{ table: 'audit_entry' }, { table: 'audit_head' }];

export interface ChainEnd {
  seq: number;
  hash: Buffer;
}

export interface Head extends ChainEnd {
  signature: Buffer;
}

export interface EntryRow extends ChainEnd {
  entry: string;
}

/** The end of the organization's chain, made if need be. Whoever else appends waits for the transaction to end. */
export async function holdHead(tx: Transaction, realmId: number, beginning: Buffer): Promise<ChainEnd> {
  const [head] = await tx.query<ChainEnd>(
    `insert into audit_head (realm_id, seq, hash, signature) values ($1, 0, $2, '')
     on conflict (realm_id) do update set seq = audit_head.seq returning seq, hash`,
    [realmId, beginning],
  );
  return head as ChainEnd;
}

export async function storeHead(tx: Transaction, realmId: number, { seq, hash, signature }: Head): Promise<void> {
  await tx.query('update audit_head set seq = $2, hash = $3, signature = $4 where realm_id = $1', [
    realmId,
    seq,
    hash,
    signature,
  ]);
}

export async function insertEntries(
  tx: Transaction,
  realmId: number,
  rows: readonly EntryRow[],
  event: string | null,
): Promise<void> {
  await tx.query(
    `insert into audit_entry (realm_id, seq, entry, hash, event)
     select $1, seq, entry, hash, case when number = 1 then $5 end
     from unnest($2::bigint[], $3::text[], $4::bytea[]) with ordinality as row (seq, entry, hash, number)`,
    [realmId, rows.map(({ seq }) => seq), rows.map(({ entry }) => entry), rows.map(({ hash }) => hash), event],
  );
}

export async function isRecorded(sql: Sql, realmId: number, event: string): Promise<boolean> {
  const rows = await sql.query('select 1 from audit_entry where event = $2 and realm_id = $1', [realmId, event]);
  return rows.length > 0;
}

export async function findHead(sql: Sql, realmId: number): Promise<Head | null> {
  const [head] = await sql.query<Head>('select seq, hash, signature from audit_head where realm_id = $1', [realmId]);
  return head ?? null;
}

/** Of organizations that are there; what is being imported is none yet. */
export function listHeads(sql: Sql): Promise<{ realmId: number; lastSeq: number }[]> {
  return sql.query(
    `select realm_id as "realmId", seq as "lastSeq" from audit_head h
     where not exists (select from realm r where r.id = h.realm_id and r.import_began_at is not null) order by realm_id`,
  );
}

export function listEntriesAfter(sql: Sql, realmId: number, afterSeq: number, limit: number): Promise<EntryRow[]> {
  return sql.query('select seq, entry, hash from audit_entry where realm_id = $1 and seq > $2 order by seq limit $3', [
    realmId,
    afterSeq,
    limit,
  ]);
}

interface EntryFilter {
  sinceMs: number;
  /** Null: whoever it was. */
  actorId: number | null;
  isByOperator: boolean;
}

/** The last ones that the filter lets through, in order. */
export function listLastEntries(
  sql: Sql,
  realmId: number,
  { sinceMs, actorId, isByOperator }: EntryFilter,
  limit: number,
): Promise<EntryRow[]> {
  return sql.query(
    `select seq, entry, hash from (
       select seq, entry, hash from audit_entry
       where realm_id = $1 and (entry::jsonb ->> 'at')::timestamptz >= to_timestamp($2 / 1000.0)
         and ($3::bigint is null or (entry::jsonb #>> '{actor,id}')::bigint = $3)
         and (not $4 or entry::jsonb #>> '{actor,kind}' = 'operator')
       order by seq desc limit $5
     ) last order by seq`,
    [realmId, sinceMs, actorId, isByOperator, limit],
  );
}

/** To be called first: what is recorded from now on the transaction does not see, neither in the entries nor in the head. */
export async function seeOneMoment(tx: Transaction): Promise<void> {
  await tx.query('set transaction isolation level repeatable read');
}

/** Organizations of which there is anything; what is being imported is none yet. */
export async function listRecordedRealms(sql: Sql): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    `select id from (select realm_id as id from audit_head union select realm_id from audit_entry) log
     where not exists (select from realm r where r.id = log.id and r.import_began_at is not null) order by id`,
  );
  return rows.map(({ id }) => id);
}

/** Deletes the audit logs of organizations of which nothing else has been left since then. */
export async function deleteAuditsOfPurged(sql: Sql, untilMs: number): Promise<void> {
  const purged = 'select id from realm where data_deleted_at <= to_timestamp($1 / 1000.0)';
  await sql.query(
    `with entries as (delete from audit_entry where realm_id in (${purged}))
     delete from audit_head where realm_id in (${purged})`,
    [untilMs],
  );
}
