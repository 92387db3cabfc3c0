import type { Sql } from '@parley/shared/db';
import type { User } from '@parley/shared/proto';
import { USER_JSON } from '../users/user-json.sql';

/** Those of the ids or API addresses in lower case that exist, by id; kept from being deactivated until the transaction ends. */
export async function holdUsers(
  sql: Sql,
  realmId: number,
  { ids, emails }: { ids: readonly number[]; emails: readonly string[] },
): Promise<User[]> {
  const [condition, values] = ids.length > 0 ? ['u.id = any($2)', ids] : ['lower(u.email) = any($2::text[])', emails];
  const rows = await sql.query<{ user: User }>(
    `select ${USER_JSON} as user from user_account u where u.realm_id = $1 and ${condition} order by u.id for share of u`,
    [realmId, values],
  );
  return rows.map(({ user }) => user);
}
