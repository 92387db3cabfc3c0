import type { Sql } from '@parley/shared/db';

/** How many mails the organization has sent on that day. */
export async function findCount(sql: Sql, realmId: number, day: string): Promise<number> {
  const [row] = await sql.query<{ mails: number }>(
    'select mails from invitation_count where realm_id = $1 and day = $2',
    [realmId, day],
  );
  return row?.mails ?? 0;
}

/** Counts mails, and returns how many there are then; until the transaction ends nobody else's are counted. */
export async function addToCount(sql: Sql, realmId: number, day: string, mails: number): Promise<number> {
  const [row] = await sql.query<{ mails: number }>(
    `insert into invitation_count as counted (realm_id, day, mails) values ($1, $2, $3)
     on conflict (realm_id, day) do update set mails = counted.mails + excluded.mails returning mails`,
    [realmId, day, mails],
  );
  return (row as { mails: number }).mails;
}
