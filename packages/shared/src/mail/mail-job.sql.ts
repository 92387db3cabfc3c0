import { z } from 'zod';
import { fewRows, type RowOf, type Sql, statement, type Transaction } from '../db';
import type { Claim } from '../jobs';
import type { UndeliveredMails } from '../proto';

/** The values of a template, without keys. */
export type MailContent = Readonly<Record<string, unknown>>;

export interface NewMail {
  realmId: number;
  /** The mail's template. */
  template: string;
  /** An address. */
  recipient: string;
  content: MailContent;
  nowMs: number;
}

/** A task after the commit of transactions that queue mails. */
export const MAILS = 'mails';

const PUT = statement(
  `insert into mail_job (realm_id, template, recipient, content, created_at, due_at)
   select realm_id, template, recipient, content, to_timestamp(now_ms / 1000.0), to_timestamp(now_ms / 1000.0)
   from unnest($1::bigint[], $2::text[], $3::text[], $4::jsonb[], $5::bigint[]) as mail (realm_id, template, recipient, content, now_ms)`,
);

/** Queues mails, to be sent after the commit: any number in one statement. */
export async function putMail(tx: Transaction, ...mails: readonly NewMail[]): Promise<void> {
  if (mails.length === 0) return;
  tx.orders.add(MAILS);
  await tx.query(PUT, [
    mails.map(({ realmId }) => realmId),
    mails.map(({ template }) => template),
    mails.map(({ recipient }) => recipient),
    mails.map(({ content }) => JSON.stringify(content)),
    mails.map(({ nowMs }) => nowMs),
  ]);
}

const CLAIM = statement(
  `update mail_job j set leased_until = to_timestamp(($1::bigint + $2::bigint) / 1000.0), attempts = j.attempts + 1
   from ${fewRows(
     `select row(realm_id, id) from mail_job
     where given_up_at is null and due_at <= to_timestamp($1::bigint / 1000.0)
       and (leased_until is null or leased_until <= to_timestamp($1::bigint / 1000.0))
     order by due_at limit $3 for update skip locked`,
   )} as due (realm_id bigint, id bigint)
   where j.realm_id = due.realm_id and j.id = due.id
   returning j.realm_id as "realmId", j.id, j.template, j.recipient, j.content, j.created_at as "createdAtMs", j.attempts`,
  {
    realmId: z.number(),
    id: z.number(),
    template: z.string(),
    recipient: z.string(),
    /** A MailContent, depending on the template. */
    content: z.record(z.string(), z.unknown()),
    createdAtMs: z.number(),
    /** Number of attempts, including the current one. Also detects that the lease was lost. */
    attempts: z.number(),
  },
);

/** A mail claimed by a replica. */
export type MailJob = RowOf<typeof CLAIM>;

/** Claims due mails for the duration of the lease. */
export function claimMails(sql: Sql, { nowMs, leaseMs, limit }: Claim): Promise<MailJob[]> {
  return sql.query(CLAIM, [nowMs, leaseMs, limit]);
}

const FIND_NEXT = statement(
  `select due_at as "dueAtMs" from mail_job
   where given_up_at is null and (leased_until is null or leased_until <= to_timestamp($1::bigint / 1000.0))
   order by due_at limit 1`,
  { dueAtMs: z.number() },
);

/** When the next unclaimed mail is due; null: there is none. */
export async function findNextMailDueAtMs(sql: Sql, nowMs: number): Promise<number | null> {
  const [row] = await sql.query(FIND_NEXT, [nowMs]);
  return row?.dueAtMs ?? null;
}

const REMOVE = statement('delete from mail_job where realm_id = $1 and id = $2 and attempts = $3');

/** The mail was sent, or is no longer needed. */
export async function removeMail(sql: Sql, { realmId, id, attempts }: MailJob): Promise<void> {
  await sql.query(REMOVE, [realmId, id, attempts]);
}

const POSTPONE = statement(
  `update mail_job set due_at = to_timestamp($4 / 1000.0), leased_until = null, last_error = $5
   where realm_id = $1 and id = $2 and attempts = $3`,
);

/** Schedules another attempt; does nothing if another replica has claimed the mail. */
export async function postponeMail(
  sql: Sql,
  { realmId, id, attempts }: MailJob,
  { dueAtMs, error }: { dueAtMs: number; error: string },
): Promise<void> {
  await sql.query(POSTPONE, [realmId, id, attempts, dueAtMs, error]);
}

const GIVE_UP = statement(
  `with forgotten as (delete from mail_job where given_up_at < to_timestamp($5 / 1000.0))
   update mail_job set given_up_at = to_timestamp($4 / 1000.0), leased_until = null, last_error = $6
   where realm_id = $1 and id = $2 and attempts = $3`,
);

/** Ends a mail's attempts and keeps it for operators; deletes those ended before `keptSinceMs`. */
export async function giveUpMail(
  sql: Sql,
  { realmId, id, attempts }: MailJob,
  { nowMs, keptSinceMs, error }: { nowMs: number; keptSinceMs: number; error: string },
): Promise<void> {
  await sql.query(GIVE_UP, [realmId, id, attempts, nowMs, keptSinceMs, error]);
}

const READ_BACKLOG = statement(
  `select count(*) filter (where given_up_at is null) as waiting,
     count(*) filter (where given_up_at is not null) as undelivered,
     greatest(0, coalesce($1 - extract(epoch from min(due_at) filter (where given_up_at is null)) * 1000, 0))::float8 as "oldestDueMs"
   from mail_job`,
  {
    waiting: z.number(),
    /** Mails without further attempts. */
    undelivered: z.number(),
    /** How long the oldest has been due; 0 without any. */
    oldestDueMs: z.number(),
  },
);

type MailBacklog = RowOf<typeof READ_BACKLOG>;

/** For metrics. */
export async function readMailBacklog(sql: Sql, nowMs: number): Promise<MailBacklog> {
  const [row] = await sql.query(READ_BACKLOG, [nowMs]);
  return row as MailBacklog;
}

const MAX_LISTED = 100;
const LIST_UNDELIVERED = statement(
  `select realm_id as "realmId", id, template, recipient, attempts, last_error as error, given_up_at as "givenUpAtMs"
   from mail_job where given_up_at is not null order by given_up_at desc, realm_id, id limit ${MAX_LISTED}`,
  {
    realmId: z.number(),
    id: z.number(),
    template: z.string(),
    recipient: z.string(),
    attempts: z.number(),
    error: z.string(),
    givenUpAtMs: z.number(),
  },
);

/** Mails that could not be sent, for operators: a service's method of that name. */
export async function listUndeliveredMails(sql: Sql): Promise<UndeliveredMails> {
  return { mails: await sql.query(LIST_UNDELIVERED) };
}
