import type { Sql } from '@parley/shared/db';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../src/context';

/** Restricts the organization's guests to bots and users they meet. */
export async function restrictGuests(ctx: Context, { realmId }: Caller): Promise<void> {
  await ctx.db.query(
    `insert into realm_group_setting (realm_id, name, group_id)
     select $1, 'can_access_all_users_group', id from user_group where realm_id = $1 and name = 'role:members'`,
    [realmId],
  );
}

/** Stores a direct conversation of the two. */
export async function meetDirectly(sql: Sql, { realmId, userId }: Caller, other: Caller): Promise<void> {
  await sql.query('insert into direct_contact (realm_id, user_id, contact_id) values ($1, $2, $3), ($1, $3, $2)', [
    realmId,
    userId,
    other.userId,
  ]);
}
