import {
  composed,
  onlyRow,
  type RealmTable,
  type RowOf,
  type Sql,
  statement,
  type Transaction,
} from '@parley/shared/db';
import { z } from 'zod';

/** Kept when an organization is purged; deleted later by deleteExpiredAuditsPeriodically(). */
export const KEPT_TABLES: readonly RealmTable[] = [{ table: 'audit_entry' }, { table: 'audit_head' }];

const CHAIN_END = { seq: z.number(), hash: z.instanceof(Buffer) };
const ENTRY = { ...CHAIN_END, entry: z.string() };

export type ChainEnd = z.infer<z.ZodObject<typeof CHAIN_END>>;
export type EntryRow = z.infer<z.ZodObject<typeof ENTRY>>;
export type Head = RowOf<typeof FIND_HEAD>;

const HOLD_HEAD = statement(
  `insert into audit_head (realm_id, seq, hash, signature) values ($1, 0, $2, '')
   on conflict (realm_id) do update set seq = audit_head.seq returning seq, hash`,
  CHAIN_END,
);

/** Locks the end of the organization's chain, creating it if necessary; serializes transactions that append. */
export async function holdHead(tx: Transaction, realmId: number, beginning: Buffer): Promise<ChainEnd> {
  return onlyRow(await tx.query(HOLD_HEAD, [realmId, beginning]));
}

const STORE_HEAD = statement('update audit_head set seq = $2, hash = $3, signature = $4 where realm_id = $1');

export async function storeHead(tx: Transaction, realmId: number, { seq, hash, signature }: Head): Promise<void> {
  await tx.query(STORE_HEAD, [realmId, seq, hash, signature]);
}

const INSERT_ENTRIES = statement(
  `insert into audit_entry (realm_id, seq, entry, hash, event)
   select $1, seq, entry, hash, case when number = 1 then $5 end
   from unnest($2::bigint[], $3::text[], $4::bytea[]) with ordinality as row (seq, entry, hash, number)`,
);

export async function insertEntries(
  tx: Transaction,
  realmId: number,
  rows: readonly EntryRow[],
  event: string | null,
): Promise<void> {
  await tx.query(INSERT_ENTRIES, [
    realmId,
    rows.map(({ seq }) => seq),
    rows.map(({ entry }) => entry),
    rows.map(({ hash }) => hash),
    event,
  ]);
}

const FIND_BY_EVENT = statement('select from audit_entry where event = $2 and realm_id = $1', {});

export async function isRecorded(sql: Sql, realmId: number, event: string): Promise<boolean> {
  const rows = await sql.query(FIND_BY_EVENT, [realmId, event]);
  return rows.length > 0;
}

const FIND_HEAD = statement('select seq, hash, signature from audit_head where realm_id = $1', {
  ...CHAIN_END,
  signature: z.instanceof(Buffer),
});

export async function findHead(sql: Sql, realmId: number): Promise<Head | null> {
  const [head] = await sql.query(FIND_HEAD, [realmId]);
  return head ?? null;
}

const LIST_HEADS = statement(
  `select realm_id as "realmId", seq as "lastSeq" from audit_head h
   where not exists (select from realm r where r.id = h.realm_id and r.import_began_at is not null) order by realm_id`,
  { realmId: z.number(), lastSeq: z.number() },
);

/** The heads of all organizations except those in import. */
export function listHeads(sql: Sql): Promise<RowOf<typeof LIST_HEADS>[]> {
  return sql.query(LIST_HEADS);
}

// NOTE: both lists are planned for each call, as their bounds decide between a look-up and a scan.
const LIST_AFTER = composed(
  'select seq, entry, hash from audit_entry where realm_id = $1 and seq > $2 order by seq limit $3',
  ENTRY,
);

export function listEntriesAfter(sql: Sql, realmId: number, afterSeq: number, limit: number): Promise<EntryRow[]> {
  return sql.query(LIST_AFTER, [realmId, afterSeq, limit]);
}

interface EntryFilter {
  sinceMs: number;
  /** Null: any actor. */
  actorId: number | null;
  isByOperator: boolean;
}

const LIST_LAST = composed(
  `select seq, entry, hash from (
     select seq, entry, hash from audit_entry
     where realm_id = $1 and (entry::jsonb ->> 'at')::timestamptz >= to_timestamp($2 / 1000.0)
       and ($3::bigint is null or (entry::jsonb #>> '{actor,id}')::bigint = $3)
       and (not $4 or entry::jsonb #>> '{actor,kind}' = 'operator')
     order by seq desc limit $5
   ) last order by seq`,
  ENTRY,
);

/** The last entries that pass the filter, in order. */
export function listLastEntries(
  sql: Sql,
  realmId: number,
  { sinceMs, actorId, isByOperator }: EntryFilter,
  limit: number,
): Promise<EntryRow[]> {
  return sql.query(LIST_LAST, [realmId, sinceMs, actorId, isByOperator, limit]);
}

const SEE_ONE_MOMENT = statement('set transaction isolation level repeatable read');

/** Called first in a transaction: entries and head come from one snapshot. */
export async function seeOneMoment(tx: Transaction): Promise<void> {
  await tx.query(SEE_ONE_MOMENT);
}

const LIST_REALMS = statement(
  `select id from (select realm_id as id from audit_head union select realm_id from audit_entry) log
   where not exists (select from realm r where r.id = log.id and r.import_began_at is not null) order by id`,
  { id: z.number() },
);

/** Organizations with entries or a head, except those in import. */
export async function listRecordedRealms(sql: Sql): Promise<number[]> {
  const rows = await sql.query(LIST_REALMS);
  return rows.map(({ id }) => id);
}

const PURGED = 'select id from realm where data_deleted_at <= to_timestamp($1 / 1000.0)';

const DELETE_OF_PURGED = statement(
  `with entries as (delete from audit_entry where realm_id in (${PURGED}))
   delete from audit_head where realm_id in (${PURGED})`,
);

/** Deletes the audit logs of organizations that were purged before that time. */
export async function deleteAuditsOfPurged(sql: Sql, untilMs: number): Promise<void> {
  await sql.query(DELETE_OF_PURGED, [untilMs]);
}
