import { type Sql, statement, type Transaction } from '@parley/shared/db';
import type { User } from '@parley/shared/proto';
import type { UserSettings } from '@parley/shared/values';
import { z } from 'zod';
import { CHOSEN_SETTINGS } from '../base/chosen-settings';

type Chosen = Partial<UserSettings>;

const FIND_CHOSEN = statement('select chosen from user_settings where realm_id = $1 and user_id = $2', {
  chosen: CHOSEN_SETTINGS,
});

/** The account's chosen settings, copied defaults included; the visibility of its address is a column of the account. */
export async function findChosenSettings(sql: Sql, realmId: number, userId: number): Promise<Chosen> {
  const [row] = await sql.query(FIND_CHOSEN, [realmId, userId]);
  return row?.chosen ?? {};
}

const STORE_CHOSEN = statement(
  `insert into user_settings as s (realm_id, user_id, chosen) values ($1, $2, $3)
   on conflict (realm_id, user_id) do update set chosen = s.chosen || excluded.chosen`,
);

export async function storeChosenSettings(
  tx: Transaction,
  realmId: number,
  userId: number,
  chosen: Chosen,
): Promise<void> {
  await tx.query(STORE_CHOSEN, [realmId, userId, JSON.stringify(chosen)]);
}

const FIND_DEFAULTS = statement('select chosen from realm_user_settings_defaults where realm_id = $1', {
  chosen: CHOSEN_SETTINGS,
});

/** The organization's defaults for new accounts. */
export async function findSettingsDefaults(sql: Sql, realmId: number): Promise<Chosen> {
  const [row] = await sql.query(FIND_DEFAULTS, [realmId]);
  return row?.chosen ?? {};
}

const STORE_DEFAULTS = statement(
  `insert into realm_user_settings_defaults as d (realm_id, chosen) values ($1, $2)
   on conflict (realm_id) do update set chosen = d.chosen || excluded.chosen`,
);

export async function storeSettingsDefaults(tx: Transaction, realmId: number, chosen: Chosen): Promise<void> {
  await tx.query(STORE_DEFAULTS, [realmId, JSON.stringify(chosen)]);
}

const COPY_DEFAULTS = statement(
  `with defaults as (
     select coalesce(d.chosen, '{}')
       || jsonb_strip_nulls(jsonb_build_object('default_language', r.settings->'default_language')) as chosen
     from realm r left join realm_user_settings_defaults d on d.realm_id = r.id where r.id = $1
   ), copied as (
     insert into user_settings (realm_id, user_id, chosen)
     select $1, new.id, chosen - 'email_address_visibility' from defaults, unnest($2::bigint[]) as new (id)
     where chosen <> '{}'
   )
   select (chosen->>'email_address_visibility')::int as visibility from defaults`,
  { visibility: z.number().nullable() },
);

/** Copies the organization's defaults to new accounts, and its language, if it has chosen one; returns the visibility chosen for their addresses, if any. */
export async function copySettingsDefaults(
  tx: Transaction,
  realmId: number,
  userIds: readonly number[],
): Promise<number | null> {
  const [row] = await tx.query(COPY_DEFAULTS, [realmId, userIds]);
  return row?.visibility ?? null;
}

const STORE_TIMEZONE = statement('update user_account set timezone = $3 where realm_id = $1 and id = $2');

export async function storeTimezone(tx: Transaction, realmId: number, userId: number, timezone: string): Promise<void> {
  await tx.query(STORE_TIMEZONE, [realmId, userId, timezone]);
}

const STORE_EMAIL_VISIBILITY = statement(
  `update user_account u set email_address_visibility = $2, email = shown.email
   from unnest($3::bigint[], $4::text[]) as shown (id, email) where u.realm_id = $1 and u.id = shown.id`,
);

/** Stores the visibility of the real addresses, and the addresses that the API shows. */
export async function storeEmailVisibility(
  tx: Transaction,
  realmId: number,
  visibility: number,
  users: readonly Pick<User, 'id' | 'email'>[],
): Promise<void> {
  const emails = users.map(({ email }) => email);
  await tx.query(STORE_EMAIL_VISIBILITY, [realmId, visibility, users.map(({ id }) => id), emails]);
}
