import type { Sql } from '@parley/shared/db';

/** False when the user has seen it before. */
export async function insertCompletedStep(
  sql: Sql,
  { realmId, userId }: { realmId: number; userId: number },
  name: string,
  nowMs: number,
): Promise<boolean> {
  const rows = await sql.query(
    `insert into onboarding_step (realm_id, user_id, name, completed_at) values ($1, $2, $3, to_timestamp($4 / 1000.0))
     on conflict do nothing returning 1`,
    [realmId, userId, name, nowMs],
  );
  return rows.length > 0;
}

/** Names of the steps that the user has completed. */
export async function listCompletedSteps(sql: Sql, realmId: number, userId: number): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    'select name from onboarding_step where realm_id = $1 and user_id = $2 order by name',
    [realmId, userId],
  );
  return rows.map(({ name }) => name);
}
