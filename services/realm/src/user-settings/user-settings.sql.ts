import type { Sql, Transaction } from '@parley/shared/db';
import type { UserSettings } from '@parley/shared/values';

type Chosen = Partial<UserSettings>;

/** What the account has chosen or began with; the visibility of its address is part of the account itself. */
export async function findChosenSettings(sql: Sql, realmId: number, userId: number): Promise<Chosen> {
  const [row] = await sql.query<{ chosen: Chosen }>(
    'select chosen from user_settings where realm_id = $1 and user_id = $2',
    [realmId, userId],
  );
  return row?.chosen ?? {};
}

export async function storeChosenSettings(
  tx: Transaction,
  realmId: number,
  userId: number,
  chosen: Chosen,
): Promise<void> {
  await tx.query(
    `insert into user_settings as s (realm_id, user_id, chosen) values ($1, $2, $3)
     on conflict (realm_id, user_id) do update set chosen = s.chosen || excluded.chosen`,
    [realmId, userId, JSON.stringify(chosen)],
  );
}

/** What the organization has chosen for accounts made from now on. */
export async function findSettingsDefaults(sql: Sql, realmId: number): Promise<Chosen> {
  const [row] = await sql.query<{ chosen: Chosen }>(
    'select chosen from realm_user_settings_defaults where realm_id = $1',
    [realmId],
  );
  return row?.chosen ?? {};
}

export async function storeSettingsDefaults(tx: Transaction, realmId: number, chosen: Chosen): Promise<void> {
  await tx.query(
    `insert into realm_user_settings_defaults as d (realm_id, chosen) values ($1, $2)
     on conflict (realm_id) do update set chosen = d.chosen || excluded.chosen`,
    [realmId, JSON.stringify(chosen)],
  );
}

/** Lets a new account begin with what its organization has chosen; returns the visibility chosen for its address, if any. */
export async function copySettingsDefaults(tx: Transaction, realmId: number, userId: number): Promise<number | null> {
  const [row] = await tx.query<{ visibility: number | null }>(
    `with defaults as (
       select chosen from realm_user_settings_defaults where realm_id = $1 and chosen <> '{}'
     ), copied as (
       insert into user_settings (realm_id, user_id, chosen)
       select $1, $2, chosen - 'email_address_visibility' from defaults
     )
     select (chosen->>'email_address_visibility')::int as visibility from defaults`,
    [realmId, userId],
  );
  return row?.visibility ?? null;
}

export async function storeTimezone(tx: Transaction, realmId: number, userId: number, timezone: string): Promise<void> {
  await tx.query('update user_account set timezone = $3 where realm_id = $1 and id = $2', [realmId, userId, timezone]);
}

/** Who may see the real address, and the one that the API shows. */
export async function storeEmailVisibility(
  tx: Transaction,
  realmId: number,
  userId: number,
  { visibility, email }: { visibility: number; email: string },
): Promise<void> {
  await tx.query('update user_account set email_address_visibility = $3, email = $4 where realm_id = $1 and id = $2', [
    realmId,
    userId,
    visibility,
    email,
  ]);
}
