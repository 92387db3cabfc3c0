import { composed, onlyRow, type RowOf, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';

const FIND = statement(
  `with value (id) as (
     select distinct m.group_id from user_group_member m join user_group g on g.realm_id = m.realm_id and g.id = m.group_id
     where m.realm_id = $1 and m.user_id = any($2) and g.name is null
   ), of_group (id) as (
     select s.user_group_id from user_group_setting s where s.realm_id = $1 and s.group_id in (select id from value)
     union
     select g.id from user_group g where g.realm_id = $1 and g.creator_id = any($2)
   ), of_channel (id) as (
     select s.channel_id from channel_group_setting s where s.realm_id = $1 and s.group_id in (select id from value)
     union
     select c.id from channel c
     where c.realm_id = $1 and (c.creator_id = any($2) or c.can_send_message_group_id in (select id from value))
   )
   select exists (select from realm_group_setting s where s.realm_id = $1 and s.group_id in (select id from value)) as "isRealm",
     coalesce((select array_agg(id order by id) from of_group), '{}') as "groupIds",
     coalesce((select array_agg(id order by id) from of_channel), '{}') as "channelIds"`,
  { isRealm: z.boolean(), groupIds: z.array(z.number()), channelIds: z.array(z.number()) },
);

/** Owners of settings that name a user: the organization, groups, channels. */
export type SettingsOwners = RowOf<typeof FIND>;

/** Owners of settings with one of the users in an anonymous group, or as creator by default. */
export async function findSettingsNaming(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
): Promise<SettingsOwners> {
  return onlyRow(await sql.query(FIND, [realmId, userIds]));
}

const HOLD_CHANNELS = composed(
  `select from channel c where c.realm_id = $1 and (c.id = any($3) or c.id in (
     select s.channel_id from subscription s where s.realm_id = $1 and s.user_id = any($2) and s.is_active))
   order by c.id for no key update`,
  {},
);

/**
 * Locks these channels, and those to which the users are subscribed, until the transaction ends: in one statement, in the order of ids.
 */
export async function holdChannelsOf(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
  channelIds: readonly number[],
): Promise<void> {
  await sql.query(HOLD_CHANNELS, [realmId, userIds, channelIds]);
}
