import type { Sql } from '@parley/shared/db';
import type { ChannelKind } from '@parley/shared/proto';

/** By id; channels that do not exist are left out. */
export function findKinds(sql: Sql, realmId: number, channelIds: readonly number[]): Promise<ChannelKind[]> {
  return sql.query(
    `select id, subscription_version as "subscriptionVersion", is_private as "isPrivate",
       is_web_public as "isWebPublic", is_history_public as "isHistoryPublic"
     from channel where realm_id = $1 and id = any($2::bigint[]) order by id`,
    [realmId, channelIds],
  );
}
