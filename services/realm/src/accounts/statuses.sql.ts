import { type Sql, statement } from '@parley/shared/db';
import { messageShape, type UserStatus } from '@parley/shared/proto';

/** SQL for a UserStatus as JSON, from rows of `user_account` called `u`, `user_status` called `t` and `user_settings` called `s`. */
export const USER_STATUS_JSON = `json_strip_nulls(json_build_object(
  'userId', u.id, 'statusText', coalesce(t.status_text, ''),
  'emoji', case when t.emoji_name <> '' then json_build_object(
    'name', t.emoji_name, 'code', t.emoji_code, 'reactionType', t.reaction_type) end,
  'isAway', coalesce(s.chosen @> '{"presence_enabled": false}', false)))`;

const LIST = statement(
  `select ${USER_STATUS_JSON} as status
   from user_account u
   left join user_status t on t.realm_id = u.realm_id and t.user_id = u.id
   left join user_settings s on s.realm_id = u.realm_id and s.user_id = u.id
   where u.realm_id = $1 and u.id = any($2)`,
  { status: messageShape<UserStatus>('realm', 'UserStatus') },
);

/** Null when the organization has no such user; empty without a status. */
export async function findUserStatus(sql: Sql, realmId: number, userId: number): Promise<UserStatus | null> {
  const [row] = await sql.query(LIST, [realmId, [userId]]);
  return row?.status ?? null;
}

/** Those of the users who have a status or are away, by user. */
export async function findShownStatuses(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
): Promise<Map<number, UserStatus>> {
  const rows = await sql.query(LIST, [realmId, userIds]);
  const shown = rows.filter(({ status: { statusText, emoji, isAway } }) => statusText !== '' || emoji || isAway);
  return new Map(shown.map(({ status }) => [status.userId, status]));
}
