import type { Sql } from '@parley/shared/db';
import type { Retention } from '@parley/shared/proto';
import { FOR_EVER } from '@parley/shared/values';

/** The rules of every active organization in which one has an end; of one of them only where it is given. */
export function listRetention(sql: Sql, realmId: number | null): Promise<Retention[]> {
  return sql.query(
    `select r.id as "realmId", coalesce((r.settings ->> 'message_retention_days')::int, ${FOR_EVER}) as days,
       coalesce(own.channels, '[]') as channels
     from realm r left join lateral (
       select json_agg(json_strip_nulls(json_build_object('channelId', c.id, 'name', c.name,
         'days', c.message_retention_days, 'subscriptionVersion', c.subscription_version,
         'isPrivate', c.is_private, 'isHistoryPublic', c.is_history_public, 'isWebPublic', c.is_web_public)) order by c.id) as channels,
         bool_or(c.message_retention_days <> ${FOR_EVER}) as has_rule
       from channel c where c.realm_id = r.id
     ) own on true
     where not r.is_deactivated and ($1::bigint is null or r.id = $1)
       and (own.has_rule or coalesce((r.settings ->> 'message_retention_days')::int, ${FOR_EVER}) <> ${FOR_EVER})
     order by r.id`,
    [realmId],
  );
}
