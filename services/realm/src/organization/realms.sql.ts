import { onlyRow, type Sql, statement } from '@parley/shared/db';
import { messageShape, type Organization, type OrganizationImage } from '@parley/shared/proto';
import { REALM_SETTING_DEFAULTS, REALM_SETTINGS, type RealmSettings } from '@parley/shared/values';
import { z } from 'zod';
import { CHOSEN_REALM_SETTINGS } from '../base/chosen-settings';
import { renderedFrom } from '../base/rendered-from';

/** SQL for an Organization as JSON, without its pictures, from a row of `realm` called `r`. */
export const REALM_JSON = `json_build_object(
  'id', r.id, 'subdomain', r.subdomain, 'name', r.name, 'description', r.description,
  'renderedDescription', r.rendered_description, 'isDeactivated', r.is_deactivated,
  'topicsPolicy', coalesce(r.settings ->> 'topics_policy', '${REALM_SETTINGS.topics_policy.default}'),
  'settings', r.settings::text, 'createdAtMs', (extract(epoch from r.created_at) * 1000)::bigint,
  'hasLdap', exists (select from ldap_directory d where d.realm_id = r.id and d.is_enabled))`;

/** The shape of REALM_JSON. */
export const REALM = messageShape<Organization>('realm', 'Organization');

/** SQL for the pictures of the organization `r` as a list in JSON. */
export const REALM_IMAGES_JSON = `coalesce((
  select json_agg(json_build_object('kind', i.kind, 'version', (extract(epoch from i.uploaded_at) * 1000)::bigint)
    order by i.kind) from realm_image i where i.realm_id = r.id), '[]')`;

/** The shape of REALM_IMAGES_JSON. */
export const REALM_IMAGES = z.array(messageShape<OrganizationImage>('realm', 'OrganizationImage'));

const finding = (condition: string) =>
  statement(`select ${REALM_JSON} as realm, ${REALM_IMAGES_JSON} as images from realm r where ${condition}`, {
    realm: REALM,
    images: REALM_IMAGES,
  });
const FIND = finding('r.id = $1');
const FIND_BY_SUBDOMAIN = finding('r.subdomain = $1 and r.import_began_at is null');

/** The organization with its pictures; null when the subdomain is unknown, or its organization is in import. */
export function findRealmBySubdomain(sql: Sql, subdomain: string): Promise<Organization | null> {
  return findOne(sql, FIND_BY_SUBDOMAIN, subdomain);
}

/** The organization with its pictures; null when there is none of that id. */
export function findRealm(sql: Sql, realmId: number): Promise<Organization | null> {
  return findOne(sql, FIND, realmId);
}

async function findOne(sql: Sql, by: typeof FIND, key: number | string): Promise<Organization | null> {
  const [row] = await sql.query(by, [key]);
  return row ? { ...row.realm, images: row.images } : null;
}

const FIND_UUID = statement('select uuid from realm where id = $1', { uuid: z.string() });

/** The globally unique name of an organization. */
export async function findRealmUuid(sql: Sql, realmId: number): Promise<string | null> {
  const [row] = await sql.query(FIND_UUID, [realmId]);
  return row?.uuid ?? null;
}

export const SUBDOMAIN_IS_UNIQUE = 'realm_subdomain_is_unique';

const INSERT = statement(
  'insert into realm (subdomain, name, created_at) values ($1, $2, to_timestamp($3 / 1000.0)) returning id',
  { id: z.number() },
);

/** Creates an organization and returns its id; violates SUBDOMAIN_IS_UNIQUE when the subdomain is taken. */
export async function insertRealm(
  sql: Sql,
  realm: { subdomain: string; name: string; createdAtMs: number },
): Promise<number> {
  return onlyRow(await sql.query(INSERT, [realm.subdomain, realm.name, realm.createdAtMs])).id;
}

const STORE_NAME = statement('update realm set name = $2 where id = $1');

export async function storeRealmName(sql: Sql, realmId: number, name: string): Promise<void> {
  await sql.query(STORE_NAME, [realmId, name]);
}

const STORE_DESCRIPTION = statement(
  `update realm set description = $2, rendered_description = $3, rendered_from = ${renderedFrom('$2::text')} where id = $1`,
);

export async function storeRealmDescription(
  sql: Sql,
  realmId: number,
  { description, renderedDescription }: Pick<Organization, 'description' | 'renderedDescription'>,
): Promise<void> {
  await sql.query(STORE_DESCRIPTION, [realmId, description, renderedDescription]);
}

const STORE_DEACTIVATION = statement(
  `update realm set is_deactivated = true, deactivated_at = to_timestamp($2 / 1000.0),
     data_deleted_from = to_timestamp($3 / 1000.0) where id = $1 and not is_deactivated returning id`,
  { id: z.number() },
);

/** Deactivates an organization; `dataDeletedFromMs` null: its data is kept. False: it was deactivated already. */
export async function storeDeactivation(
  sql: Sql,
  realmId: number,
  { deactivatedAtMs, dataDeletedFromMs }: { deactivatedAtMs: number; dataDeletedFromMs: number | null },
): Promise<boolean> {
  const rows = await sql.query(STORE_DEACTIVATION, [realmId, deactivatedAtMs, dataDeletedFromMs]);
  return rows.length > 0;
}

// Rows that are locked have no queue: one transaction after the other could hold the organization, and none that locks it would get its turn.
const locking = (turn: string, strength: string) =>
  statement(
    `with turn as materialized (select ${turn}(hashtextextended('organization ' || $1::bigint, 0)))
     select from turn, realm where id = $1 for ${strength} of realm`,
    {},
  );

const LOCK = locking('pg_advisory_xact_lock', 'no key update');

/** Locks the organization's row: other changes of the organization wait for the end of the transaction. */
export async function lockRealm(sql: Sql, realmId: number): Promise<void> {
  await sql.query(LOCK, [realmId]);
}

const HOLD = locking('pg_advisory_xact_lock_shared', 'share');

/**
 * Holds back changes of the organization's accounts, groups and channels until the transaction ends, for events of channels: who may see them
 * must not change before these are stored. Comes before all other locks; others may hold the organization at the same time.
 */
export async function holdRealm(sql: Sql, realmId: number): Promise<void> {
  await sql.query(HOLD, [realmId]);
}

const LOAD_SETTINGS = statement('select settings from realm where id = $1', { settings: CHOSEN_REALM_SETTINGS });

/** All settings of the organization except permissions: explicit values or defaults. */
export async function loadRealmSettings(sql: Sql, realmId: number): Promise<RealmSettings> {
  const [row] = await sql.query(LOAD_SETTINGS, [realmId]);
  return { ...REALM_SETTING_DEFAULTS, ...row?.settings };
}

const STORE_SETTINGS = statement('update realm set settings = settings || $2::jsonb where id = $1');

/** Stores explicit settings; others are unchanged. */
export async function storeRealmSettings(sql: Sql, realmId: number, chosen: Partial<RealmSettings>): Promise<void> {
  await sql.query(STORE_SETTINGS, [realmId, JSON.stringify(chosen)]);
}
