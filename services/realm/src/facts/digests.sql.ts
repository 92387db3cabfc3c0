import { type Sql, statement } from '@parley/shared/db';
import type { DigestRealm, DigestRecipient } from '@parley/shared/proto';
import { REALM_SETTING_DEFAULTS, USER_SETTING_DEFAULTS } from '@parley/shared/values';
import { z } from 'zod';

const LIST_REALMS = statement(
  `select id as "realmId", coalesce((settings ->> 'digest_weekday')::int, ${REALM_SETTING_DEFAULTS.digest_weekday}) as weekday
   from realm where not is_deactivated
     and coalesce((settings ->> 'digest_emails_enabled')::boolean, ${REALM_SETTING_DEFAULTS.digest_emails_enabled})
   order by id`,
  { realmId: z.number(), weekday: z.number() },
);

/** Open organizations that send digests. */
export function loadDigestRealms(sql: Sql): Promise<DigestRealm[]> {
  return sql.query(LIST_REALMS);
}

const LIST_RECIPIENTS = statement(
  `select u.id as "userId", u.delivery_email as address
   from user_account u
   left join user_settings s on s.realm_id = u.realm_id and s.user_id = u.id
   left join user_presence p on p.realm_id = u.realm_id and p.user_id = u.id
   where u.realm_id = $1 and u.id > $2 and u.is_active and not u.is_bot
     and greatest(u.created_at, p.active_at) < to_timestamp($3 / 1000.0)
     and coalesce((s.chosen ->> 'enable_digest_emails')::boolean, ${USER_SETTING_DEFAULTS.enable_digest_emails})
     and not exists (select from mail_bounce b
       where b.realm_id = u.realm_id and b.user_id = u.id and b.address = lower(u.delivery_email))
   order by u.id limit $4`,
  { userId: z.number(), address: z.string() },
);

export interface DigestSlice {
  realmId: number;
  afterUserId: number;
  inactiveSinceMs: number;
  limit: number;
}

/** People who want digests and were not active since that time, by id. New accounts have missed nothing yet. */
export function loadDigestRecipients(sql: Sql, slice: DigestSlice): Promise<DigestRecipient[]> {
  const { realmId, afterUserId, inactiveSinceMs, limit } = slice;
  return sql.query(LIST_RECIPIENTS, [realmId, afterUserId, inactiveSinceMs, limit]);
}

const LIST_NEW_CHANNELS = statement(
  `select id from channel where realm_id = $1 and created_at >= to_timestamp($2 / 1000.0) and not is_archived
   order by id desc limit $3`,
  { id: z.number() },
);

/** The newest channels made since that time, the newest first. */
export async function listNewChannelIds(
  sql: Sql,
  realmId: number,
  { sinceMs, limit }: { sinceMs: number; limit: number },
): Promise<number[]> {
  const rows = await sql.query(LIST_NEW_CHANNELS, [realmId, sinceMs, limit]);
  return rows.map(({ id }) => id);
}
