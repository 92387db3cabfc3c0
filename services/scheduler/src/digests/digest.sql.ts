import { type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import { MAILS } from '@parley/shared/mail';
import type { DigestRecipient } from '@parley/shared/proto';
import { z } from 'zod';

/** The template of the mails. */
export const DIGEST = 'digest';

/** After another change of the weekday, a digest is not sent again within these days. */
const FEWEST_DAYS = 6;

// A day after the next digest's is of a clock that was wrong.
// NOTE: a day as text: a driver's Date would be one of the machine's time zone.
const BEGIN = statement(
  `insert into digest_run as r (realm_id, day, after_user_id, is_done) values ($1, $2::date, 0, false)
   on conflict (realm_id) do update set day = excluded.day, after_user_id = 0, is_done = false
     where r.day <= excluded.day - ${FEWEST_DAYS} or r.day > excluded.day + ${FEWEST_DAYS}`,
);

const FIND = statement(
  'select after_user_id as "afterUserId" from digest_run where realm_id = $1 and day = $2::date and not is_done',
  { afterUserId: z.number() },
);

export type DigestRun = RowOf<typeof FIND>;

/** Begins the digest of a day, unless it has begun; returns how far it is, null if it is done or must not be. */
export async function beginDigest(sql: Sql, realmId: number, day: string): Promise<DigestRun | null> {
  await sql.query(BEGIN, [realmId, day]);
  const [run] = await sql.query(FIND, [realmId, day]);
  return run ?? null;
}

const ADVANCE = statement(
  `update digest_run set after_user_id = $4, is_done = $5
   where realm_id = $1 and day = $2::date and after_user_id = $3 and not is_done returning realm_id`,
  { realm_id: z.number() },
);

interface Step {
  realmId: number;
  day: string;
  afterUserId: number;
  toUserId: number;
  isLast: boolean;
}

/** Notes that people up to an id have their mail; false: another replica has done so. */
export async function advanceDigest(tx: Transaction, step: Step): Promise<boolean> {
  const { realmId, day, afterUserId, toUserId, isLast } = step;
  const rows = await tx.query(ADVANCE, [realmId, day, afterUserId, toUserId, isLast]);
  return rows.length > 0;
}

const PUT = statement(
  `insert into mail_job (realm_id, template, recipient, content, created_at, due_at)
   select $1, '${DIGEST}', address, json_build_object('userId', user_id, 'sinceMs', $2::bigint), to_timestamp($3 / 1000.0), to_timestamp($3 / 1000.0)
   from unnest($4::bigint[], $5::text[]) as person (user_id, address) order by user_id`,
);

/** Queues a mail for each person. */
export async function putDigests(
  tx: Transaction,
  { realmId, sinceMs, nowMs }: { realmId: number; sinceMs: number; nowMs: number },
  people: readonly DigestRecipient[],
): Promise<void> {
  tx.orders.add(MAILS);
  const addressed = [people.map(({ userId }) => userId), people.map(({ address }) => address)];
  await tx.query(PUT, [realmId, sinceMs, nowMs, ...addressed]);
}
