import type { Sql } from '../db';

/** Rows counted one by one; beyond that their number is told by their ids, which may include a few that were rolled back. */
const MAX_COUNTED = 10_000;

/**
 * Rows that are not in the log yet: gaps that have appeared, what is being published, and what comes after. Every part reads by the primary
 * key and only what it returns, since this is asked at every scrape.
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

/** Events that are not in the log yet, and what a log that was lost is still to be refilled with, as one. */
export async function countUnpublished(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select waiting.count + (p.refill_up_to is not null)::int as count from outbox_progress p, ${WAITING}`,
  );
  return row?.count ?? 0;
}

/** What the outbox holds that is not in the log. */
export interface OutboxLag {
  waitingEvents: number;
  /** For how long the first of them has been waiting; 0 without any. */
  oldestWaitingMs: number;
  /** Rows to go through until a log that was lost is refilled. */
  rowsToRefill: number;
}

/** For metrics and the operator: asks the database, so any replica can tell, whoever publishes. */
export async function readOutboxLag(sql: Sql): Promise<OutboxLag> {
  const [row] = await sql.query<OutboxLag>(
    `select waiting.count as "waitingEvents",
       coalesce(extract(epoch from clock_timestamp() - waiting.since) * 1000, 0)::float8 as "oldestWaitingMs",
       coalesce(p.refill_up_to - p.refilled_up_to, 0) as "rowsToRefill"
     from outbox_progress p, ${WAITING}`,
  );
  return row as OutboxLag;
}
