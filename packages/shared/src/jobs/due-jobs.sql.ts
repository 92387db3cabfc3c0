import { z } from 'zod';
import { fewRows, type RowOf, type Sql, statement, type Transaction } from '../db';
import type { Claim } from './run-jobs';

// The table `due_job` of a service: a row is an unsettled job. `due_at` is its time or, once a replica has claimed it, the end of
// the lease; `lease` is a number that is unique to each claim.

/** Kinds of jobs, each with its own runner (startDueJobs) and its own ids. */
export type JobKind = string;

/** The id of the job's subject. */
export interface JobKey {
  realmId: number;
  kind: JobKind;
  id: number;
}

const PUT = statement(
  `insert into due_job (realm_id, kind, id, due_at) values ($1, $2, $3, to_timestamp($4::bigint / 1000.0))
   on conflict (realm_id, kind, id) do update set due_at = excluded.due_at, attempts = 0, lease = null`,
);

/** Creates a job, or changes its time; a replica that works on it loses its lease. */
export async function putDueJob(tx: Transaction, { realmId, kind, id }: JobKey, dueAtMs: number): Promise<void> {
  await tx.query(PUT, [realmId, kind, id, dueAtMs]);
}

const CANCEL = statement(
  'delete from due_job where realm_id = $1 and kind = $2 and id = $3 and attempts = 0 returning id',
  { id: z.number() },
);

/** Cancels a job; false when a replica has begun it, or when there is none. */
export async function cancelDueJob(tx: Transaction, { realmId, kind, id }: JobKey): Promise<boolean> {
  return (await tx.query(CANCEL, [realmId, kind, id])).length > 0;
}

const SETTLE = statement(
  'delete from due_job where realm_id = $1 and kind = $2 and id = $3 and lease = $4 returning id',
  { id: z.number() },
);

/**
 * The job is done, whatever its result: called in the transaction of its effect. False if another replica has claimed the job
 * after the lease expired: then that one decides.
 */
export async function settleDueJob(tx: Transaction, { realmId, kind, id, lease }: ClaimedJob): Promise<boolean> {
  return (await tx.query(SETTLE, [realmId, kind, id, lease])).length > 0;
}

const POSTPONE = statement(
  `update due_job j set due_at = to_timestamp($5::bigint / 1000.0)
   from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) as held (realm_id, kind, id, lease)
   where j.realm_id = held.realm_id and j.kind = held.kind and j.id = held.id and j.lease = held.lease
   returning j.lease`,
  { lease: z.number() },
);

/** Postpones jobs. Returns which ones, without those that another replica has claimed. */
export async function postponeDueJobs<Job extends ClaimedJob>(
  sql: Sql,
  jobs: readonly Job[],
  untilMs: number,
): Promise<Job[]> {
  const columns = (['realmId', 'kind', 'id', 'lease'] as const).map((name) => jobs.map((job) => job[name]));
  const rows = await sql.query(POSTPONE, [...columns, untilMs]);
  const held = new Set(rows.map(({ lease }) => lease));
  return jobs.filter(({ lease }) => held.has(lease));
}

const SETTLE_SOME = statement(
  `delete from due_job j
   using unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) as done (realm_id, kind, id, lease)
   where j.realm_id = done.realm_id and j.kind = done.kind and j.id = done.id and j.lease = done.lease`,
);

/** Deletes jobs in the transaction of their effects; those whose lease was lost stay. */
export async function settleDueJobs(tx: Transaction, jobs: readonly ClaimedJob[]): Promise<void> {
  const columns = (['realmId', 'kind', 'id', 'lease'] as const).map((name) => jobs.map((job) => job[name]));
  await tx.query(SETTLE_SOME, columns);
}

const CLAIM = statement(
  `update due_job j set due_at = to_timestamp(($2::bigint + $3::bigint) / 1000.0), attempts = j.attempts + 1, lease = nextval('due_job_lease')
   from ${fewRows(
     `select row(realm_id, kind, id) from due_job where kind = $1 and due_at <= to_timestamp($2::bigint / 1000.0)
     order by due_at limit $4 for update skip locked`,
   )} as due (realm_id bigint, kind text, id bigint)
   where j.realm_id = due.realm_id and j.kind = due.kind and j.id = due.id
   returning j.realm_id as "realmId", j.kind, j.id, j.attempts, j.lease`,
  {
    realmId: z.number(),
    kind: z.string(),
    id: z.number(),
    /** Number of attempts, including this one. */
    attempts: z.number(),
    /** Lets settleDueJob() detect that the lease was lost. */
    lease: z.number(),
  },
);

/** A claimed job. */
export type ClaimedJob = RowOf<typeof CLAIM>;

/** Claims due jobs, those that have waited longest first, for the duration of the lease. */
export function claimDueJobs(
  sql: Sql,
  { kind, nowMs, leaseMs, limit }: Claim & { kind: JobKind },
): Promise<ClaimedJob[]> {
  return sql.query(CLAIM, [kind, nowMs, leaseMs, limit]);
}

const FIND_NEXT = statement('select due_at as "dueAtMs" from due_job where kind = $1 order by due_at limit 1', {
  dueAtMs: z.number(),
});

/** When the next job of the kind is due; null: there is none. */
export async function findNextDueAtMs(sql: Sql, kind: string): Promise<number | null> {
  const [row] = await sql.query(FIND_NEXT, [kind]);
  return row?.dueAtMs ?? null;
}

const READ_BACKLOG = statement(
  `select count(*) as due, coalesce($2 - extract(epoch from min(due_at)) * 1000, 0)::float8 as "oldestDueMs"
   from due_job where kind = $1 and due_at <= to_timestamp($2::bigint / 1000.0)`,
  {
    due: z.number(),
    /** How long the oldest has been due; 0 without any. */
    oldestDueMs: z.number(),
  },
);

type DueJobsBacklog = RowOf<typeof READ_BACKLOG>;

/** For metrics: due jobs that are not claimed. */
export async function readBacklog(sql: Sql, kind: string, nowMs: number): Promise<DueJobsBacklog> {
  const [row] = await sql.query(READ_BACKLOG, [kind, nowMs]);
  return row as DueJobsBacklog;
}
