import { z } from 'zod';
import { fewRows, type Sql, statement } from '../db';

const FIND = statement(
  'select event_id as id from handled_event where consumer = $1 and service = $2 and event_id = any($3::bigint[])',
  { id: z.number() },
);

/** The events among these that the consumer has handled. */
export async function findHandled(
  sql: Sql,
  consumer: string,
  service: string,
  eventIds: readonly number[],
): Promise<Set<number>> {
  const rows = await sql.query(FIND, [consumer, service, eventIds]);
  return new Set(rows.map(({ id }) => id));
}

const INSERT = statement(
  `insert into handled_event (consumer, service, event_id)
   select $1, $2, id from unnest($3::bigint[]) as id on conflict do nothing returning event_id as id`,
  { id: z.number() },
);

/** Returns those that were not stored before. */
export async function insertHandled(
  sql: Sql,
  consumer: string,
  service: string,
  eventIds: readonly number[],
): Promise<Set<number>> {
  const rows = await sql.query(INSERT, [consumer, service, eventIds]);
  return new Set(rows.map(({ id }) => id));
}

const MAX_EXPIRED = 10_000;

const DELETE_OLD = statement(
  `with expired as (
     delete from handled_event h using ${fewRows(
       `select row(consumer, service, event_id) from handled_event
       where handled_at < now() - make_interval(hours => $1) order by handled_at limit ${MAX_EXPIRED}
       for update skip locked`,
     )} as old (consumer text, service text, event_id bigint)
     where h.consumer = old.consumer and h.service = old.service and h.event_id = old.event_id
     returning h.event_id
   ) select count(*) as count from expired`,
  { count: z.number() },
);

/** Deletes entries of events that no log can deliver again, oldest first. Returns whether there may be more. */
export async function deleteHandled(sql: Sql, afterHours: number): Promise<boolean> {
  const [row] = await sql.query(DELETE_OLD, [afterHours]);
  return row?.count === MAX_EXPIRED;
}
