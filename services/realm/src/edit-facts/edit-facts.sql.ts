import type { Sql } from '@parley/shared/db';
import type { User } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { USER_JSON } from '../users/user-json.sql';

/** Guests who are subscribed to the one channel and not to the other. */
export async function listGuestIdsOnlyIn(
  sql: Sql,
  realmId: number,
  channelId: number,
  otherId: number,
): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    `select u.id from subscription s join user_account u on u.realm_id = s.realm_id and u.id = s.user_id
     where s.realm_id = $1 and s.channel_id = $2 and s.is_active and u.role = ${ROLES.guest} and not exists (
       select from subscription o where o.realm_id = $1 and o.channel_id = $3 and o.user_id = u.id and o.is_active)
     order by u.id`,
    [realmId, channelId, otherId],
  );
  return rows.map(({ id }) => id);
}

/** The account with which the service speaks of what people have done. */
export async function findNotificationBot(sql: Sql, realmId: number): Promise<User | null> {
  const [row] = await sql.query<{ bot: User }>(
    `select ${USER_JSON} as bot from user_account u where u.realm_id = $1 and u.system_bot = 'notification-bot'`,
    [realmId],
  );
  return row?.bot ?? null;
}
