import type { Sql } from '@parley/shared/db';
import { REALM_SETTING_DEFAULTS, type RealmSettings } from '@parley/shared/values';

/** Every setting of the organization but its permissions: as chosen, or else its default. */
export async function loadRealmSettings(sql: Sql, realmId: number): Promise<RealmSettings> {
  const [row] = await sql.query<{ settings: Partial<RealmSettings> }>('select settings from realm where id = $1', [
    realmId,
  ]);
  return { ...REALM_SETTING_DEFAULTS, ...row?.settings };
}

/** Stores what an organization has chosen; the rest stays. */
export async function storeRealmSettings(sql: Sql, realmId: number, chosen: Partial<RealmSettings>): Promise<void> {
  await sql.query('update realm set settings = settings || $2::jsonb where id = $1', [realmId, JSON.stringify(chosen)]);
}
