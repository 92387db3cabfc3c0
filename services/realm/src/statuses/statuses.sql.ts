import type { Sql, Transaction } from '@parley/shared/db';
import type { StatusEmoji, UserStatus } from '@parley/shared/proto';

/** SQL for a UserStatus as JSON, from rows of `user_account` called `u`, `user_status` called `t` and `user_settings` called `s`. */
export const USER_STATUS_JSON = `json_strip_nulls(json_build_object(
  'userId', u.id, 'statusText', coalesce(t.status_text, ''),
  'emoji', case when t.emoji_name <> '' then json_build_object(
    'name', t.emoji_name, 'code', t.emoji_code, 'reactionType', t.reaction_type) end,
  'isAway', coalesce(s.chosen @> '{"presence_enabled": false}', false)))`;

/** Null when the organization has no such user; empty when they have set none. */
export async function findUserStatus(sql: Sql, realmId: number, userId: number): Promise<UserStatus | null> {
  const [row] = await sql.query<{ status: UserStatus }>(
    `select ${USER_STATUS_JSON} as status
     from user_account u
     left join user_status t on t.realm_id = u.realm_id and t.user_id = u.id
     left join user_settings s on s.realm_id = u.realm_id and s.user_id = u.id
     where u.realm_id = $1 and u.id = $2`,
    [realmId, userId],
  );
  return row?.status ?? null;
}

interface StatusChange {
  realmId: number;
  userId: number;
  /** Each is absent when it stays. */
  statusText?: string;
  emoji?: StatusEmoji;
  updatedAtMs: number;
}

const NO_EMOJI: StatusEmoji = { name: '', code: '', reactionType: 'unicode_emoji' };

/** Sets what is there, leaves the rest. */
export async function storeUserStatus(tx: Transaction, change: StatusChange): Promise<void> {
  const { realmId, userId, statusText, emoji, updatedAtMs } = change;
  const { name, code, reactionType } = emoji ?? NO_EMOJI;
  await tx.query(
    `insert into user_status as t (realm_id, user_id, status_text, emoji_name, emoji_code, reaction_type, updated_at)
     values ($1, $2, coalesce($3, ''), $4, $5, $6, to_timestamp($7 / 1000.0))
     on conflict (realm_id, user_id) do update set
       status_text = coalesce($3, t.status_text),
       emoji_name = case when $8 then $4 else t.emoji_name end,
       emoji_code = case when $8 then $5 else t.emoji_code end,
       reaction_type = case when $8 then $6 else t.reaction_type end,
       updated_at = excluded.updated_at`,
    [realmId, userId, statusText ?? null, name, code, reactionType, updatedAtMs, emoji !== undefined],
  );
}
