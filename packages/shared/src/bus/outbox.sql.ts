import { type Sql, statement } from '../db';
import type { DomainEvent } from '../events';

export interface OutboxRow {
  id: number;
  recordId: number;
  realmId: number;
  kind: string;
  payload: string;
}

/** Events that fit into one log record. */
export const MAX_EVENTS_PER_RECORD = 32;
const MAX_RECORD_BYTES = 256 * 1024;
const CLAIM_LIMIT = 512;

const INSERT = statement(
  'outbox-insert',
  `insert into outbox (realm_id, kind, payload)
   select realm_id, kind, payload from unnest($1::bigint[], $2::text[], $3::text[]) as event (realm_id, kind, payload)`,
);

export async function insertEvents(sql: Sql, events: readonly DomainEvent[]): Promise<void> {
  await sql.query(INSERT, [
    events.map(({ realmId }) => realmId),
    events.map(({ kind }) => kind),
    events.map(({ payload }) => JSON.stringify(payload)),
  ]);
}

/** Rows whose record was chosen but not marked published: a relay died in between. Published again, the same. */
export function loadClaimed(sql: Sql): Promise<OutboxRow[]> {
  return sql.query(
    `select id, record_id as "recordId", realm_id as "realmId", kind, payload from outbox
     where record_id is not null and published_at is null order by record_id, id`,
  );
}

/**
 * Marks records as published and chooses the next ones, in one statement. A record is a run of rows of one organization and
 * kind, in the order of ids, bounded in number and bytes; it is named after its first row.
 */
export function markPublishedAndClaim(sql: Sql, publishedRecordIds: readonly number[]): Promise<OutboxRow[]> {
  return sql.query(
    `with done as (
       update outbox set published_at = now() where record_id = any($1::bigint[]) and published_at is null
     ), next as (
       select id, realm_id, kind, octet_length(payload) as bytes, row_number() over (order by id) as n
       from (select id, realm_id, kind, payload from outbox where record_id is null order by id limit ${CLAIM_LIMIT}) w
     ), runs as (
       select id, realm_id, kind, bytes, n - row_number() over (partition by realm_id, kind order by id) as run from next
     ), pieces as (
       select id, realm_id, kind, run,
         (row_number() over run_order - 1) / ${MAX_EVENTS_PER_RECORD} as by_count,
         sum(bytes) over run_order / ${MAX_RECORD_BYTES} as by_bytes
       from runs window run_order as (partition by realm_id, kind, run order by id)
     ), records as (
       select id, min(id) over (partition by realm_id, kind, run, by_count, by_bytes) as record_id from pieces
     )
     update outbox o set record_id = r.record_id from records r where o.id = r.id
     returning o.id, o.record_id as "recordId", o.realm_id as "realmId", o.kind, o.payload`,
    [publishedRecordIds],
  );
}

export async function markPublished(sql: Sql, recordIds: readonly number[]): Promise<void> {
  if (recordIds.length === 0) return;
  await sql.query('update outbox set published_at = now() where record_id = any($1::bigint[])', [recordIds]);
}

export async function countUnpublished(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }>('select count(*) as count from outbox where published_at is null');
  return row?.count ?? 0;
}

/** Drops rows older than the log itself. */
export async function deleteExpired(sql: Sql, retentionHours: number): Promise<void> {
  await sql.query(
    `delete from outbox where id in (
       select id from outbox where published_at < now() - make_interval(hours => $1) limit 10000)`,
    [retentionHours],
  );
}
