import type { Sql } from '@parley/shared/db';
import type { GroupSetting } from '@parley/shared/proto';
import { SEND_SETTING } from './setting-place';

/** Lets a setting of new channels, which have none of that name yet, be a named group. */
export async function giveNamedGroup(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  name: string,
  groupId: number,
): Promise<void> {
  await pointChannels(
    sql,
    realmId,
    name,
    channelIds,
    channelIds.map(() => groupId),
  );
}

/** Lets a setting of new channels be an anonymous group: each gets one of its own. */
export async function giveAnonymousGroups(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  name: string,
  { directMemberIds, directSubgroupIds }: GroupSetting,
  createdAtMs: number,
): Promise<void> {
  const groups = await sql.query<{ id: number }>(
    `insert into user_group (realm_id, created_at)
     select $1, to_timestamp($2 / 1000.0) from generate_series(1, $3::integer) returning id`,
    [realmId, createdAtMs, channelIds.length],
  );
  const groupIds = groups.map(({ id }) => id);
  await sql.query(
    `with members as (
       insert into user_group_member (realm_id, group_id, user_id)
       select $1, g.id, m.id from unnest($2::bigint[]) as g (id), unnest($3::bigint[]) as m (id)
     )
     insert into user_group_subgroup (realm_id, group_id, subgroup_id)
     select $1, g.id, s.id from unnest($2::bigint[]) as g (id), unnest($4::bigint[]) as s (id)`,
    [realmId, groupIds, directMemberIds, directSubgroupIds],
  );
  await pointChannels(sql, realmId, name, channelIds, groupIds);
}

async function pointChannels(
  sql: Sql,
  realmId: number,
  name: string,
  channelIds: readonly number[],
  groupIds: readonly number[],
): Promise<void> {
  if (name === SEND_SETTING) {
    await sql.query(
      `update channel c set can_send_message_group_id = given.group_id
       from unnest($2::bigint[], $3::bigint[]) as given (channel_id, group_id)
       where c.realm_id = $1 and c.id = given.channel_id`,
      [realmId, channelIds, groupIds],
    );
    return;
  }
  await sql.query(
    `insert into channel_group_setting (realm_id, channel_id, name, group_id)
     select $1, given.channel_id, $2, given.group_id
     from unnest($3::bigint[], $4::bigint[]) as given (channel_id, group_id)`,
    [realmId, name, channelIds, groupIds],
  );
}
