import type { Sql } from '@parley/shared/db';
import type { FillChannel, FillInterval, FillPerson } from '@parley/shared/proto';

/** Of the people in a large channel few write much. */
const MAX_INTERVALS = 200;

export function listFillPeople(sql: Sql, realmId: number): Promise<FillPerson[]> {
  return sql.query<FillPerson>(
    `select id, full_name as "fullName" from user_account where realm_id = $1 and is_active and not is_bot order by id`,
    [realmId],
  );
}

export async function listFillChannels(sql: Sql, realmId: number): Promise<FillChannel[]> {
  const rows = await sql.query<{
    id: number;
    version: number;
    users: number[];
    from: number[];
    to: number[];
  }>(
    `select c.id, c.subscription_version as version, i.users, i.from, i.to
     from channel c cross join lateral (
       select array_agg(first.user_id) as users, array_agg(first.from_version) as from,
         array_agg(coalesce(first.to_version, 0)) as to
       from (
         select user_id, from_version, to_version from subscription_interval
         where realm_id = $1 and channel_id = c.id order by from_version, user_id limit $2
       ) first
     ) i
     where c.realm_id = $1 and i.users is not null order by c.subscriber_count desc, c.id`,
    [realmId, MAX_INTERVALS],
  );
  return rows.map(({ id, version, users, from, to }) => ({
    id,
    subscriptionVersion: version,
    intervals: users.map((userId, index) => intervalOf(userId, from[index] as number, to[index] as number)),
  }));
}

/** No interval ends at version 0. */
function intervalOf(userId: number, fromVersion: number, toVersion: number): FillInterval {
  return { userId, fromVersion, ...(toVersion > 0 && { toVersion }) };
}
