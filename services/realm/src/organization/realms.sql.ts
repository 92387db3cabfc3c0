import type { Sql } from '@parley/shared/db';
import type { Organization } from '@parley/shared/proto';
import { REALM_SETTING_DEFAULTS, REALM_SETTINGS, type RealmSettings } from '@parley/shared/values';
import { renderedFrom } from '../rendered-texts/stale-texts.sql';

/** The organization with its pictures; null when the subdomain has none, or one that is still being imported. */
export function findRealmBySubdomain(sql: Sql, subdomain: string): Promise<Organization | null> {
  return findOne(sql, 'r.subdomain = $1 and r.import_began_at is null', subdomain);
}

/** The organization with its pictures; null when there is none of that id. */
export function findRealm(sql: Sql, realmId: number): Promise<Organization | null> {
  return findOne(sql, 'r.id = $1', realmId);
}

async function findOne(sql: Sql, condition: string, value: unknown): Promise<Organization | null> {
  const [row] = await sql.query<{ realm: Organization; images: Organization['images'] }>(
    `select ${REALM_JSON} as realm, coalesce((
       select json_agg(json_build_object('kind', i.kind, 'version', (extract(epoch from i.uploaded_at) * 1000)::bigint)
         order by i.kind) from realm_image i where i.realm_id = r.id), '[]') as images
     from realm r where ${condition}`,
    [value],
  );
  return row ? { ...row.realm, images: row.images } : null;
}

/** The name of an organization that is unique wherever it may move to. */
export async function findRealmUuid(sql: Sql, realmId: number): Promise<string | null> {
  const [row] = await sql.query<{ uuid: string }>('select uuid from realm where id = $1', [realmId]);
  return row?.uuid ?? null;
}

export const SUBDOMAIN_IS_UNIQUE = 'realm_subdomain_is_unique';

/** Makes an organization and returns its id; violates SUBDOMAIN_IS_UNIQUE when the subdomain is taken. */
export async function insertRealm(
  sql: Sql,
  realm: { subdomain: string; name: string; createdAtMs: number },
): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    'insert into realm (subdomain, name, created_at) values ($1, $2, to_timestamp($3 / 1000.0)) returning id',
    [realm.subdomain, realm.name, realm.createdAtMs],
  );
  return (row as { id: number }).id;
}

export async function storeRealmName(sql: Sql, realmId: number, name: string): Promise<void> {
  await sql.query('update realm set name = $2 where id = $1', [realmId, name]);
}

export async function storeRealmDescription(
  sql: Sql,
  realmId: number,
  { description, renderedDescription }: Pick<Organization, 'description' | 'renderedDescription'>,
): Promise<void> {
  await sql.query(
    `update realm set description = $2, rendered_description = $3, rendered_from = ${renderedFrom('$2::text')} where id = $1`,
    [realmId, description, renderedDescription],
  );
}

/** Closes an organization; `dataDeletedFromMs` null: what it has stays for ever. False: it was closed already. */
export async function storeDeactivation(
  sql: Sql,
  realmId: number,
  { deactivatedAtMs, dataDeletedFromMs }: { deactivatedAtMs: number; dataDeletedFromMs: number | null },
): Promise<boolean> {
  const rows = await sql.query(
    `update realm set is_deactivated = true, deactivated_at = to_timestamp($2 / 1000.0),
       data_deleted_from = to_timestamp($3 / 1000.0) where id = $1 and not is_deactivated returning 1`,
    [realmId, deactivatedAtMs, dataDeletedFromMs],
  );
  return rows.length > 0;
}

/** Locks the organization's row: other changes of the organization wait for the end of the transaction. */
export async function lockRealm(sql: Sql, realmId: number): Promise<void> {
  await sql.query('select 1 from realm where id = $1 for no key update', [realmId]);
}

/** SQL for an Organization as JSON, without its pictures, from a row of `realm` called `r`. */
export const REALM_JSON = `json_build_object(
  'id', r.id, 'subdomain', r.subdomain, 'name', r.name, 'description', r.description,
  'renderedDescription', r.rendered_description, 'isDeactivated', r.is_deactivated,
  'topicsPolicy', coalesce(r.settings ->> 'topics_policy', '${REALM_SETTINGS.topics_policy.default}'),
  'settings', r.settings::text, 'createdAtMs', (extract(epoch from r.created_at) * 1000)::bigint)`;

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
