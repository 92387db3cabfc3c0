import { type Sql, statement } from '@parley/shared/db';

const REMOVE_ALL = statement('delete from push_token where realm_id = $1 and user_id = $2');

/** Called in the transaction that revokes the user's keys. */
export async function removeAllPushTokens(sql: Sql, realmId: number, userId: number): Promise<void> {
  await sql.query(REMOVE_ALL, [realmId, userId]);
}
