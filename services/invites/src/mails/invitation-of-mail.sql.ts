import { type RowOf, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';

const FIND = statement(
  `select i.id, i.expires_at as "expiresAtMs" from mail_job j
   join invitation i on i.realm_id = j.realm_id and i.id = j.invitation_id
   where j.realm_id = $1 and j.id = $2 and i.state = 'open'
     and (i.expires_at is null or i.expires_at > to_timestamp($3 / 1000.0))`,
  {
    id: z.number(),
    /** Null: never. */
    expiresAtMs: z.number().nullable(),
  },
);

/** The invitation that a mail is about; null when it can no longer be accepted. */
export async function findInvitationOfMail(
  sql: Sql,
  { realmId, id }: { realmId: number; id: number },
  nowMs: number,
): Promise<RowOf<typeof FIND> | null> {
  const [invitation] = await sql.query(FIND, [realmId, id, nowMs]);
  return invitation ?? null;
}
