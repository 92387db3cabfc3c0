import { type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';

const NOTE = statement(
  `insert into mail_bounce as b (realm_id, user_id, address, reason, bounced_at)
   select u.realm_id, u.id, lower(u.delivery_email), $4, to_timestamp($5 / 1000.0) from user_account u
   where u.realm_id = $1 and u.id = $2 and lower(u.delivery_email) = lower($3) and not u.is_bot
   on conflict (realm_id, user_id) do update
     set address = excluded.address, reason = excluded.reason, bounced_at = excluded.bounced_at, told_at = null
     where b.address <> excluded.address`,
);

/** Notes that a person's present address refuses mails; an address that is noted already is not noted again. */
export async function noteBounce(
  sql: Sql,
  { realmId, userId, address, reason }: { realmId: number; userId: number; address: string; reason: string },
  nowMs: number,
): Promise<void> {
  await sql.query(NOTE, [realmId, userId, address, reason, nowMs]);
}

const IS_PRESENT = `exists (select from user_account u
  where u.realm_id = b.realm_id and u.id = b.user_id and lower(u.delivery_email) = b.address)`;

const FIND = statement(
  `select address, reason, bounced_at as "bouncedAtMs" from mail_bounce b
   where realm_id = $1 and user_id = $2 and ${IS_PRESENT}`,
  { address: z.string(), reason: z.string(), bouncedAtMs: z.number() },
);

export type Bounce = RowOf<typeof FIND>;

/** Since when, and why, a person's address takes no mails; null: it takes them. */
export async function findBounce(sql: Sql, realmId: number, userId: number): Promise<Bounce | null> {
  const [bounce] = await sql.query(FIND, [realmId, userId]);
  return bounce ?? null;
}

const TAKE_UNTOLD = statement(
  `update mail_bounce b set told_at = to_timestamp($3 / 1000.0)
   where realm_id = $1 and user_id = $2 and told_at is null and ${IS_PRESENT}
   returning address, reason, bounced_at as "bouncedAtMs"`,
  { address: z.string(), reason: z.string(), bouncedAtMs: z.number() },
);

/** The bounce of which the person has not been told, who is told in this transaction; null: there is none. */
export async function takeUntoldBounce(
  tx: Transaction,
  { realmId, userId }: { realmId: number; userId: number },
  nowMs: number,
): Promise<Bounce | null> {
  const [bounce] = await tx.query(TAKE_UNTOLD, [realmId, userId, nowMs]);
  return bounce ?? null;
}

const END = statement('delete from mail_bounce where realm_id = $1 and user_id = $2');

/** Mails are sent to the person again. */
export async function endBounce(sql: Sql, realmId: number, userId: number): Promise<void> {
  await sql.query(END, [realmId, userId]);
}
