import { type Sql, statement } from '@parley/shared/db';
import { messageShape, type OutsideReader, type VersionInterval } from '@parley/shared/proto';
import { z } from 'zod';
import { CONTENT_SETTINGS } from './permissions';

const CONTENT_NAMES = CONTENT_SETTINGS.map((name) => `'${name}'`).join(', ');

// For most private channels, which admit subscribers only, this reads just the settings.
const LIST_POSSIBLE = statement(
  `with open as (
     select c.id from channel c where c.realm_id = $1 and c.id = any($2::bigint[]) and c.is_private and exists (
       select from channel_group_setting s join user_group g on g.realm_id = $1 and g.id = s.group_id
       where s.realm_id = $1 and s.channel_id = c.id and s.name in (${CONTENT_NAMES}) and g.name is distinct from 'role:nobody')
   )
   select open.id as "channelId", past.user_id as "userId", past.intervals from open cross join lateral (
     select i.user_id, json_agg(json_build_object('fromVersion', i.from_version, 'toVersion', i.to_version)
       order by i.from_version) as intervals
     from subscription_interval i where i.realm_id = $1 and i.channel_id = open.id
     group by i.user_id having count(*) = count(i.to_version)
   ) past
   union all
   select open.id, named.user_id, '[]'::json from open cross join unnest($3::bigint[]) as named (user_id)
   where not exists (
     select from subscription_interval i where i.realm_id = $1 and i.channel_id = open.id and i.user_id = named.user_id)
   order by 1, 2`,
  {
    channelId: z.number(),
    userId: z.number(),
    intervals: z.array(messageShape<VersionInterval>('realm', 'VersionInterval')),
  },
);

/** Users without a subscription to private channels that admit others: the given ones, and former subscribers. */
export function listPossibleOutsiders(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  userIds: readonly number[],
): Promise<OutsideReader[]> {
  return sql.query(LIST_POSSIBLE, [realmId, channelIds, userIds]);
}
