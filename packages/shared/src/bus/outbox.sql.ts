import { z } from 'zod';
import { composed, type RowOf, type Sql, statement } from '../db';
import { BRIEFLY_REFILLED, type DomainEvent } from '../events';
import { LOG_RETENTION_HOURS } from './log-stream';
import { tracedPayload } from './traces';

// NOTE: statements that run also on other connections than the relay's are composed(), that is planned for each call: a generic
// plan made while the outbox was small would scan the whole table later. See preferIndexes().

const OUTBOX_ROW = {
  id: z.number(),
  realmId: z.number(),
  kind: z.string(),
  payload: z.string(),
  /** The transaction that announced it; null in rows of versions without this column. */
  transactionId: z.number().nullable(),
};
const COLUMNS = 'id, realm_id as "realmId", kind, payload, transaction_id::text::bigint as "transactionId"';

const INSERT = statement(
  `insert into outbox (realm_id, kind, payload)
   select realm_id, kind, payload from unnest($1::bigint[], $2::text[], $3::text[]) as event (realm_id, kind, payload)`,
);

/**
 * Approximate characters of one statement: a transaction with many events yields to others in between. Writing them as an array of PostgreSQL's takes
 * ten times as long as writing the text alone.
 */
const MAX_LENGTH = 512 * 1024;

export async function insertEvents(sql: Sql, events: readonly DomainEvent[]): Promise<void> {
  let rows: [number, string, string][] = [];
  let length = 0;
  for (const [index, event] of events.entries()) {
    const text = eventText(event);
    rows.push([event.realmId, event.kind, text]);
    length += text.length;
    if (length < MAX_LENGTH && index < events.length - 1) continue;
    await sql.query(INSERT, [
      rows.map(([realmId]) => realmId),
      rows.map(([, kind]) => kind),
      rows.map(([, , payload]) => payload),
    ]);
    rows = [];
    length = 0;
  }
}

/** An event's payload as stored in the outbox; for statements that announce their own changes. */
export function eventText({ payload }: Pick<DomainEvent, 'payload'>): string {
  return JSON.stringify(tracedPayload(payload as object));
}

/**
 * To be called first. The outbox grows at its end, which the planner's statistics do not cover: by default it would make a
 * plan for a small table, and then scan the whole table for a few rows.
 */
export async function preferIndexes(sql: Sql): Promise<void> {
  await sql.query(PREFER_INDEXES);
}

const PREFER_INDEXES = statement(
  `select set_config('enable_seqscan', 'off', false), set_config('enable_bitmapscan', 'off', false)`,
  { set_config: z.string() },
);

const REFILLING = { refilledUpTo: z.number().nullable(), refillUpTo: z.number().nullable() };

const LOAD_PROGRESS = statement(
  `select published_up_to as "publishedUpTo", gaps, pending, log_epoch as "logEpoch", record_seq as "recordSeq",
     record_id as "recordId", refilled_up_to as "refilledUpTo", refill_up_to as "refillUpTo"
   from outbox_progress`,
  {
    publishedUpTo: z.number(),
    gaps: z.array(z.number()),
    pending: z.array(z.array(z.number())),
    logEpoch: z.string().nullable(),
    recordSeq: z.number(),
    recordId: z.number(),
    ...REFILLING,
  },
);

/** The relay's progress; the members are explained in the migrations. */
export type OutboxProgress = RowOf<typeof LOAD_PROGRESS>;

export async function loadProgress(sql: Sql): Promise<OutboxProgress> {
  const [row] = await sql.query(LOAD_PROGRESS);
  return row as OutboxProgress;
}

const SAVE =
  'update outbox_progress set published_up_to = $1, gaps = $2, pending = $3, record_seq = $4, record_id = $5';
const SAVE_PROGRESS = statement(SAVE);

export async function saveProgress(sql: Sql, progress: OutboxProgress): Promise<void> {
  await sql.query(SAVE_PROGRESS, valuesOf(progress));
}

/** Rows loaded at once, besides filled gaps. */
export const MAX_ROWS = 512;
const NEXT = `select ${COLUMNS},
    extract(epoch from clock_timestamp() - created_at)::float8 * 1000 as "waitedMs"
  from (
    select id, realm_id, kind, payload, transaction_id, created_at from outbox where id = any($2::bigint[])
    union all
    (select id, realm_id, kind, payload, transaction_id, created_at from outbox where id > $1::bigint order by id limit ${MAX_ROWS})
  ) next order by id`;
const WAITING_ROW = { ...OUTBOX_ROW, waitedMs: z.number() };
const LOAD_NEXT = statement(NEXT, WAITING_ROW);
// Without waiting for the disk: if this is lost, the pending rows are published once more, as the same records.
const SAVE_AND_LOAD_NEXT = statement(
  `with hurry as (select set_config('synchronous_commit', 'off', true) as value),
   saved as (${SAVE} from hurry where hurry.value = 'off') ${NEXT}`,
  WAITING_ROW,
);

export type OutboxRow = RowOf<typeof LOAD_ROWS>;
/** With the time that it had waited when it was loaded. */
export type WaitingRow = RowOf<typeof LOAD_NEXT>;

/** The next rows to publish, in order. */
export function loadNext(sql: Sql, { publishedUpTo, gaps }: OutboxProgress): Promise<WaitingRow[]> {
  return sql.query(LOAD_NEXT, [publishedUpTo, gaps]);
}

/** Stores the progress and loads the next rows in one round trip. */
export function saveAndLoadNext(sql: Sql, progress: OutboxProgress): Promise<WaitingRow[]> {
  return sql.query(SAVE_AND_LOAD_NEXT, valuesOf(progress));
}

function valuesOf({ publishedUpTo, gaps, pending, recordSeq, recordId }: OutboxProgress): unknown[] {
  return [publishedUpTo, gaps, JSON.stringify(pending), recordSeq, recordId];
}

/** Stores the log to which is published, but not the refill, which may have been requested since the last read. */
export async function saveMark(sql: Sql, { logEpoch, recordSeq, recordId }: OutboxProgress): Promise<void> {
  await sql.query(SAVE_MARK, [logEpoch, recordSeq, recordId]);
}

const SAVE_MARK = statement('update outbox_progress set log_epoch = $1, record_seq = $2, record_id = $3');

const SAVE_REFILLING = statement('update outbox_progress set refilled_up_to = $1, refill_up_to = $2');
const LOAD_REFILLING = statement(
  'select refilled_up_to as "refilledUpTo", refill_up_to as "refillUpTo" from outbox_progress',
  REFILLING,
);

type Refilling = RowOf<typeof LOAD_REFILLING>;

export async function saveRefilling(sql: Sql, { refilledUpTo, refillUpTo }: Refilling): Promise<void> {
  await sql.query(SAVE_REFILLING, [refilledUpTo, refillUpTo]);
}

export async function loadRefilling(sql: Sql): Promise<Refilling> {
  const [row] = await sql.query(LOAD_REFILLING);
  return row as Refilling;
}

const REQUEST_REFILL = composed(
  `update outbox_progress set refill_up_to = published_up_to,
     refilled_up_to = coalesce((select id - 1 from outbox order by id limit 1), published_up_to)
   where refill_up_to is null returning refilled_up_to as "refilledUpTo"`,
  { refilledUpTo: z.number() },
);

/** Requests a full republish of all stored rows; returns false if one is already running. */
export async function requestRefill(sql: Sql): Promise<boolean> {
  return (await sql.query(REQUEST_REFILL)).length > 0;
}

/** Partitions may contain older rows than the log, which are not refilled: consumers have forgotten that they handled them. */
const IS_KEPT = `created_at > now() - case when kind in ('${BRIEFLY_REFILLED.kinds.join("','")}') then interval '${BRIEFLY_REFILLED.hours} hours'
    else interval '${LOG_RETENTION_HOURS} hours' end`;

const COUNT_FOR_REFILL = composed(
  `select count(*) as count from outbox o, outbox_progress p where o.id <= p.published_up_to and o.kind = any($1::text[]) and ${IS_KEPT}`,
  { count: z.number() },
);

/** Published and stored events of these kinds. */
export async function countForRefill(sql: Sql, kinds: readonly string[]): Promise<number> {
  const [row] = await sql.query(COUNT_FOR_REFILL, [kinds]);
  return row?.count ?? 0;
}

const LOAD_FIRST = composed('select id from outbox order by id limit 1', { id: z.number() });

/** The id before the first stored row. */
export async function loadBeginning(sql: Sql): Promise<number> {
  const [row] = await sql.query(LOAD_FIRST);
  return row ? row.id - 1 : 0;
}

const LOAD_FOR_REFILL = statement(
  `select ${COLUMNS} from outbox where id > $1 and id <= $2 and kind = any($3::text[]) and ${IS_KEPT} order by id`,
  OUTBOX_ROW,
);

/** Rows of these kinds in (from, upTo], in order. */
export function loadForRefill(
  sql: Sql,
  { from, upTo, kinds }: { from: number; upTo: number; kinds: readonly string[] },
): Promise<OutboxRow[]> {
  return sql.query(LOAD_FOR_REFILL, [from, upTo, kinds]);
}

const LOAD_ROWS = statement(`select ${COLUMNS} from outbox where id = any($1::bigint[]) order by id`, OUTBOX_ROW);

export function loadRows(sql: Sql, ids: readonly number[]): Promise<OutboxRow[]> {
  return sql.query(LOAD_ROWS, [ids]);
}

const LOAD_HORIZON = statement(
  `select pg_snapshot_xmin(s)::text::bigint as xmin, pg_snapshot_xmax(s)::text::bigint as xmax
   from pg_current_snapshot() s`,
  { xmin: z.number(), xmax: z.number() },
);

/** A gap seen now can only belong to transactions that began before `xmax`; `xmin` is the oldest running one. */
export async function loadTransactionHorizon(sql: Sql): Promise<RowOf<typeof LOAD_HORIZON>> {
  const [row] = await sql.query(LOAD_HORIZON);
  return row as RowOf<typeof LOAD_HORIZON>;
}

/** Rows read in one step: the relay publishes new rows between two steps. */
const MAX_EXPIRED = 2_000;
const DELETE_EXPIRED = composed(
  `with expired as (
     -- An array, since a join with so many rows would read the whole table.
     delete from outbox where id = any(array(
       select o.id from (select id, created_at from outbox order by id limit ${MAX_EXPIRED}) o, outbox_progress p
       where o.id <= p.published_up_to and o.id <> all(p.gaps)
         and o.created_at < now() - make_interval(hours => $1)))
     returning id
   ) select count(*) as count from expired`,
  { count: z.number() },
);

/**
 * Deletes published rows that are older than the log's retention, from the beginning only: rows are about as old as their ids.
 * Unpublished rows stay, however old. Returns whether all examined rows were deleted: there may be more.
 */
export async function deleteExpired(sql: Sql, retentionHours: number): Promise<boolean> {
  const [row] = await sql.query(DELETE_EXPIRED, [retentionHours]);
  return row?.count === MAX_EXPIRED;
}

/** Rows counted one by one; beyond that their number is estimated by their ids, which may include some that were rolled back. */
const MAX_COUNTED = 10_000;

/**
 * Rows that are not in the log yet: filled gaps, rows being published, and later ones. Each part reads by the primary
 * key and only what it returns, because this runs at every scrape.
 */
const WAITING = `lateral (
    select case when count(*) < ${MAX_COUNTED} then count(*)
        else count(*) filter (where row.id <= p.published_up_to)
          + (select newest.id from outbox newest order by newest.id desc limit 1) - p.published_up_to end as count,
      min(row.created_at) as since
    from (
      select o.id, o.created_at from outbox o where o.id = any(p.gaps || array(
        select pending.id::bigint
        from jsonb_array_elements(p.pending) as record (ids), jsonb_array_elements_text(record.ids) as pending (id)))
      union all
      (select o.id, o.created_at from outbox o where o.id > p.published_up_to order by o.id limit ${MAX_COUNTED})
    ) row
  ) waiting`;

const COUNT_UNPUBLISHED = composed(
  `select waiting.count + (p.refill_up_to is not null)::int as count from outbox_progress p, ${WAITING}`,
  { count: z.number() },
);

/** Events that are not in the log yet, including the rows for refilling a lost log. */
export async function countUnpublished(sql: Sql): Promise<number> {
  const [row] = await sql.query(COUNT_UNPUBLISHED);
  return row?.count ?? 0;
}

const READ_LAG = composed(
  `select waiting.count as "waitingEvents",
     coalesce(extract(epoch from clock_timestamp() - waiting.since) * 1000, 0)::float8 as "oldestWaitingMs",
     coalesce(p.refill_up_to - p.refilled_up_to, 0) as "rowsToRefill"
   from outbox_progress p, ${WAITING}`,
  {
    waitingEvents: z.number(),
    /** Age of the oldest of them; 0 without any. */
    oldestWaitingMs: z.number(),
    /** Rows left to process until a lost log is refilled. */
    rowsToRefill: z.number(),
  },
);

/** The rows of the outbox that are not in the log. */
export type OutboxLag = RowOf<typeof READ_LAG>;

/** For metrics and the operator. It queries the database, so any replica can answer. */
export async function readOutboxLag(sql: Sql): Promise<OutboxLag> {
  const [row] = await sql.query(READ_LAG);
  return row as OutboxLag;
}
