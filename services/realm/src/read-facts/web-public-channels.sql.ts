import type { Sql } from '@parley/shared/db';
import type { ChannelReadFacts } from '@parley/shared/proto';

type WebPublicChannel = Pick<ChannelReadFacts, 'channelId' | 'name' | 'isArchived' | 'subscriptionVersion'>;

export function listWebPublicChannels(sql: Sql, realmId: number): Promise<WebPublicChannel[]> {
  return sql.query(
    `select id as "channelId", name, is_archived as "isArchived", subscription_version as "subscriptionVersion"
     from channel where realm_id = $1 and is_web_public order by id`,
    [realmId],
  );
}
