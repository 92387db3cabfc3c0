import { type RowOf, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';

const DELETE_OLD = statement(
  `delete from email_change where (realm_id, id) in (
     select realm_id, id from email_change where created_at <= to_timestamp($1 / 1000.0) for update skip locked)`,
);

/** Deletes expired requests of all organizations, skipping locked rows. */
export async function deleteEmailChanges(sql: Sql, untilMs: number): Promise<void> {
  await sql.query(DELETE_OLD, [untilMs]);
}

const FIND_BY_KEY = statement(
  `select c.id, c.user_id as "userId", c.old_email as "oldEmail", c.new_email as "newEmail", c.created_at as "createdAtMs",
     s.chosen->>'default_language' as language
   from email_change_key k join email_change c on c.realm_id = k.realm_id and c.id = k.email_change_id
     left join user_settings s on s.realm_id = c.realm_id and s.user_id = c.user_id
   where k.realm_id = $1 and k.key_hash = $2`,
  {
    id: z.number(),
    userId: z.number(),
    oldEmail: z.string(),
    newEmail: z.string(),
    createdAtMs: z.number(),
    /** What the account's holder has chosen. */
    language: z.string().nullable(),
  },
);

export type EmailChangeOfKey = RowOf<typeof FIND_BY_KEY>;

/** Also called within the audit's transactions. */
export async function findEmailChangeByKey(
  sql: Sql,
  realmId: number,
  keyHash: Buffer,
): Promise<EmailChangeOfKey | null> {
  const [change] = await sql.query(FIND_BY_KEY, [realmId, keyHash]);
  return change ?? null;
}
