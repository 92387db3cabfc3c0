import { type RowOf, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import { CHOSEN_REALM_SETTINGS, CHOSEN_SETTINGS } from '../base/chosen-settings';

const LOAD_ORGANIZATION = statement(
  'select name, subdomain, settings from realm where id = $1 and not is_deactivated',
  { name: z.string(), subdomain: z.string(), settings: CHOSEN_REALM_SETTINGS },
);

/** The organization in whose name mails are sent; null: there is none, or it is closed. */
export async function findMailingOrganization(
  sql: Sql,
  realmId: number,
): Promise<RowOf<typeof LOAD_ORGANIZATION> | null> {
  const [organization] = await sql.query(LOAD_ORGANIZATION, [realmId]);
  return organization ?? null;
}

const LOAD = statement(
  `select u.id as "userId", u.delivery_email as address, u.full_name as "fullName", u.timezone,
     coalesce(s.chosen, '{}') as chosen,
     exists (select from user_account o
       where lower(o.delivery_email) = lower(u.delivery_email) and o.is_active and not o.is_bot and o.realm_id <> u.realm_id
     ) as "isInSeveralRealms"
   from user_account u left join user_settings s on s.realm_id = u.realm_id and s.user_id = u.id
   where u.realm_id = $1 and u.id = any($2) and u.is_active and not u.is_bot
     and not exists (select from mail_bounce b
       where b.realm_id = u.realm_id and b.user_id = u.id and b.address = lower(u.delivery_email))
   order by u.id`,
  {
    userId: z.number(),
    address: z.string(),
    fullName: z.string(),
    timezone: z.string(),
    chosen: CHOSEN_SETTINGS,
    /** Whether the address has accounts in other organizations, too. */
    isInSeveralRealms: z.boolean(),
  },
);

export type Mailable = RowOf<typeof LOAD>;

/** The active people among the users whose addresses take mails, by id. */
export function loadMailable(sql: Sql, realmId: number, userIds: readonly number[]): Promise<Mailable[]> {
  return sql.query(LOAD, [realmId, userIds]);
}

const LIST_MAILED_BY_CHANNELS = statement(
  `select distinct user_id as "userId" from subscription
   where realm_id = $1 and user_id = any($2) and is_active and email_notifications`,
  { userId: z.number() },
);

/** Those of the users who get mails about messages in a channel of their choice. */
export async function listMailedByChannels(sql: Sql, realmId: number, userIds: readonly number[]): Promise<number[]> {
  const rows = await sql.query(LIST_MAILED_BY_CHANNELS, [realmId, userIds]);
  return rows.map(({ userId }) => userId);
}
