import { type Sql, statement } from '../db';
import type { DomainEvent } from '../events';

export interface OutboxRow {
  id: number;
  realmId: number;
  kind: string;
  payload: string;
}

/** How far the relay has come; see the migration for what the members mean. */
export interface OutboxProgress {
  publishedUpTo: number;
  gaps: number[];
  pending: number[][];
}

const MAX_ROWS = 512;

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

/**
 * To be called first. The outbox only grows at its end, where the planner's statistics never reach: left to itself it plans for
 * a small table, once, and then reads the whole of it for a handful of rows.
 */
export async function preferIndexes(sql: Sql): Promise<void> {
  await sql.query('set enable_seqscan = off; set enable_bitmapscan = off');
}

export async function loadProgress(sql: Sql): Promise<OutboxProgress> {
  const [row] = await sql.query<OutboxProgress>(
    `select published_up_to as "publishedUpTo", gaps, pending from outbox_progress`,
  );
  return row as OutboxProgress;
}

const SAVE = 'update outbox_progress set published_up_to = $1, gaps = $2, pending = $3';
const SAVE_PROGRESS = statement('outbox-save-progress', SAVE);

export async function saveProgress(sql: Sql, progress: OutboxProgress): Promise<void> {
  await sql.query(SAVE_PROGRESS, valuesOf(progress));
}

const NEXT = `select id, realm_id as "realmId", kind, payload from (
    select id, realm_id, kind, payload from outbox where id = any($2::bigint[])
    union all
    (select id, realm_id, kind, payload from outbox where id > $1::bigint order by id limit ${MAX_ROWS})
  ) next order by id`;
const LOAD_NEXT = statement('outbox-load-next', NEXT);
// Not waited for to be on the disk: were it lost, what is pending would be published once more, as the same records.
const SAVE_AND_LOAD_NEXT = statement(
  'outbox-save-and-load-next',
  `with hurry as (select set_config('synchronous_commit', 'off', true) as value),
   saved as (${SAVE} from hurry where hurry.value = 'off') ${NEXT}`,
);

/** The next rows to publish, in order. */
export function loadNext(sql: Sql, { publishedUpTo, gaps }: OutboxProgress): Promise<OutboxRow[]> {
  return sql.query(LOAD_NEXT, [publishedUpTo, gaps]);
}

/** The same, and what was published before is noted, in one round trip. */
export function saveAndLoadNext(sql: Sql, progress: OutboxProgress): Promise<OutboxRow[]> {
  return sql.query(SAVE_AND_LOAD_NEXT, valuesOf(progress));
}

function valuesOf({ publishedUpTo, gaps, pending }: OutboxProgress): unknown[] {
  return [publishedUpTo, gaps, JSON.stringify(pending)];
}

export function loadRows(sql: Sql, ids: readonly number[]): Promise<OutboxRow[]> {
  return sql.query(
    `select id, realm_id as "realmId", kind, payload from outbox where id = any($1::bigint[]) order by id`,
    [ids],
  );
}

/** Transactions that began before `xmax` are the only ones that a gap seen now can belong to; `xmin` is the oldest running. */
export async function loadTransactionHorizon(sql: Sql): Promise<{ xmin: number; xmax: number }> {
  const [row] = await sql.query<{ xmin: number; xmax: number }>(
    `select pg_snapshot_xmin(s)::text::bigint as xmin, pg_snapshot_xmax(s)::text::bigint as xmax
     from pg_current_snapshot() s`,
  );
  return row as { xmin: number; xmax: number };
}

export async function countUnpublished(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select (select count(*) from outbox o where o.id > p.published_up_to or o.id = any(p.gaps))
       + jsonb_array_length(p.pending) as count
     from outbox_progress p`,
  );
  return row?.count ?? 0;
}

/** Drops published rows that are older than the log itself. */
export async function deleteExpired(sql: Sql, retentionHours: number): Promise<void> {
  await sql.query(
    `delete from outbox where id in (
       select o.id from outbox o, outbox_progress p
       where o.id <= p.published_up_to and o.created_at < now() - make_interval(hours => $1)
       order by o.id limit 10000)`,
    [retentionHours],
  );
}
