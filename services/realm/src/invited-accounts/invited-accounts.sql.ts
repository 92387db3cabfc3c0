import { type RowOf, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';

const SELECT = statement(
  `select u.id as "userId", u.is_active as "isActive", u.email, u.delivery_email as "deliveryEmail",
     u.password_hash as "passwordHash"
   from invited_account i join user_account u on u.realm_id = i.realm_id and u.id = i.user_id
   where i.realm_id = $1 and i.invitation_id = $2`,
  {
    userId: z.number(),
    isActive: z.boolean(),
    email: z.string(),
    deliveryEmail: z.string(),
    passwordHash: z.string().nullable(),
  },
);

export type KnownAccount = RowOf<typeof SELECT>;

/** The account of an invitation; null when there is none. */
export async function selectInvitedAccount(
  sql: Sql,
  realmId: number,
  invitationId: number,
): Promise<KnownAccount | null> {
  const [account] = await sql.query(SELECT, [realmId, invitationId]);
  return account ?? null;
}

const INSERT = statement('insert into invited_account (realm_id, invitation_id, user_id) values ($1, $2, $3)');

export async function insertInvitedAccount(
  sql: Sql,
  realmId: number,
  invitationId: number,
  userId: number,
): Promise<void> {
  await sql.query(INSERT, [realmId, invitationId, userId]);
}

const IS_DEACTIVATED = statement('select is_deactivated as "isDeactivated" from realm where id = $1', {
  isDeactivated: z.boolean(),
});

export async function isRealmDeactivated(sql: Sql, realmId: number): Promise<boolean> {
  const [realm] = await sql.query(IS_DEACTIVATED, [realmId]);
  return realm?.isDeactivated ?? true;
}

const LIST_OPEN_GROUP_IDS = statement(
  `select id from user_group
   where realm_id = $1 and id = any($2::bigint[]) and name is not null and not is_system and not is_deactivated
   order by id for no key update`,
  { id: z.number() },
);

/** The groups to which members can be added. */
export async function listOpenGroupIds(sql: Sql, realmId: number, groupIds: readonly number[]): Promise<number[]> {
  const rows = await sql.query(LIST_OPEN_GROUP_IDS, [realmId, groupIds]);
  return rows.map(({ id }) => id);
}

const LIST_CHANNELS_OF_GROUPS = statement(
  `select wanted.name, case when g.id is not null then array(
     select c.channel_id from default_channel_group_channel c where c.realm_id = $1 and c.group_id = g.id
     order by c.channel_id) end as "channelIds"
   from unnest($2::text[]) as wanted (name)
   left join default_channel_group g on g.realm_id = $1 and g.name = wanted.name`,
  { name: z.string(), channelIds: z.array(z.number()).nullable() },
);

/** The channels of the sets with those names; null for unknown names. */
export function listChannelsOfGroups(
  sql: Sql,
  realmId: number,
  names: readonly string[],
): Promise<RowOf<typeof LIST_CHANNELS_OF_GROUPS>[]> {
  return sql.query(LIST_CHANNELS_OF_GROUPS, [realmId, names]);
}
