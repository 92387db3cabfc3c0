import { type ArchivedTable, type ArchivePlan, archivedTables, type SharedTable } from '@parley/shared/archive';
import { onlyRow, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';
import { KEPT_TABLES } from '../audit/audit.sql';
import { TABLES } from '../retention/retention.sql';

/** Short-lived rows, and rows about things that are not moved: queued mails, exports, LDAP directories, counts of this database's backends and its transactions, tokens of SCIM. */
const LEFT_OUT = [
  'sign_in_attempt',
  'sign_in_address',
  'sign_in_device',
  'sign_in_failure',
  // The password of the service account could not be opened elsewhere.
  'ldap_directory',
  'ldap_sync',
  'mail_job',
  'email_change_key',
  'email_change',
  'list_change',
  'reader_change',
  'alert_word_change',
  'data_export',
  'scim_token',
  'oidc_spent',
  'oidc_session',
  // Addresses are those of this server.
  'channel_mail_address',
];

/** The import sets the subdomain, and whether the organization is open. */
const ORGANIZATION: ArchivedTable = {
  table: 'realm',
  realmColumn: 'id',
  isUpdated: true,
  omits: ['id', 'subdomain', 'uuid', 'is_deactivated', 'data_deleted_from', 'data_deleted_at', 'import_began_at'],
};

const DETAILS: readonly ArchivedTable[] = [
  // Bots after their owners.
  { table: 'user_account', orderBy: 't.bot_owner_id is not null, t.id' },
  // A key is valid in one organization only.
  { table: 'api_key', skipsTaken: true },
  { table: 'audit_entry', orderBy: 't.seq', replaces: { event: 'null' } },
  { table: 'avatar_image', rowsAtOnce: 5 },
  { table: 'custom_emoji_image', rowsAtOnce: 20 },
  { table: 'realm_image', rowsAtOnce: 5 },
  // Only this server can read the secret.
  { table: 'oidc_provider', replaces: { sealed_secret: 'null' } },
];

const isShared = (channelId: string) => `(${channelId} = any($2) or ${channelId} = any($4))`;

/** Data that any member could list, without addresses, and settings of the shared channels. */
const SHARED: readonly SharedTable[] = [
  { table: 'realm', realmColumn: 'id', columns: ['name', 'description', 'rendered_description', 'created_at'] },
  {
    table: 'user_account',
    columns: [
      ...['id', 'delivery_email', 'full_name', 'role', 'is_bot', 'bot_type', 'bot_owner_id', 'is_active', 'timezone'],
      'created_at',
    ],
    replaces: { delivery_email: 'case when t.id = any($3) then t.delivery_email end' },
  },
  {
    table: 'user_group',
    columns: ['id', 'name', 'description', 'is_system', 'is_deactivated'],
    only: 't.name is not null',
  },
  {
    table: 'user_group_member',
    columns: ['group_id', 'user_id'],
    only: `exists (select from user_group g where g.realm_id = t.realm_id and g.id = t.group_id and g.name is not null)`,
  },
  {
    table: 'channel_folder',
    columns: [
      ...['id', 'name', 'description', 'rendered_description', 'position', 'creator_id', 'is_archived', 'created_at'],
    ],
  },
  {
    table: 'channel',
    columns: [
      ...['id', 'name', 'description', 'rendered_description', 'creator_id', 'is_private', 'is_web_public'],
      ...['is_history_public', 'is_archived', 'is_default', 'folder_id', 'created_at'],
    ],
    only: isShared('t.id'),
  },
  {
    table: 'subscription',
    columns: ['channel_id', 'user_id'],
    only: `${isShared('t.channel_id')} and t.is_active`,
  },
  {
    table: 'custom_emoji',
    columns: ['id', 'name', 'author_id', 'file_name', 'still_file_name', 'is_deactivated', 'created_at'],
  },
  { table: 'custom_emoji_image', columns: ['file_name', 'content_type', 'bytes'], rowsAtOnce: 20 },
  { table: 'linkifier', columns: ['id', 'pattern', 'url_template', 'position'] },
  { table: 'playground', columns: ['id', 'name', 'pygments_language', 'url_template'] },
  {
    table: 'profile_field',
    columns: [
      ...['id', 'type', 'name', 'hint', 'field_data', 'position', 'is_in_summary', 'is_required'],
      'is_editable_by_user',
    ],
  },
  // Data of users who have consented.
  { table: 'profile_value', columns: ['user_id', 'field_id', 'value'], only: 't.user_id = any($3)' },
  { table: 'user_settings', columns: ['user_id', 'chosen'], only: 't.user_id = any($3)' },
  { table: 'alert_word', columns: ['user_id', 'word', 'added_at'], only: 't.user_id = any($3)' },
  {
    table: 'muted_user',
    columns: ['user_id', 'muted_user_id', 'muted_at'],
    only: 't.user_id = any($3)',
  },
];

const IS_OWN = 't.user_id = any($3)';

/** An account's data, its settings, and the acts on it or by it. */
const PERSONAL: readonly SharedTable[] = [
  {
    table: 'user_account',
    columns: [
      ...['id', 'delivery_email', 'email', 'full_name', 'role', 'is_active', 'timezone', 'email_address_visibility'],
      ...['avatar_source', 'avatar_file_name', 'created_at'],
    ],
    only: 't.id = any($3)',
  },
  {
    table: 'avatar_image',
    columns: ['file_name', 'medium_bytes'],
    only: `t.file_name in (select u.avatar_file_name from user_account u where u.realm_id = t.realm_id and u.id = any($3))`,
    rowsAtOnce: 5,
  },
  { table: 'profile_value', columns: ['field_id', 'value'], only: IS_OWN },
  {
    table: 'profile_field',
    columns: ['id', 'name'],
    only: `exists (select from profile_value v where v.realm_id = t.realm_id and v.field_id = t.id and v.user_id = any($3))`,
  },
  { table: 'user_settings', columns: ['chosen'], only: IS_OWN },
  { table: 'user_status', columns: ['status_text', 'emoji_name', 'updated_at'], only: IS_OWN },
  { table: 'scim_user', columns: ['user_name', 'external_id', 'given_name', 'family_name'], only: IS_OWN },
  { table: 'user_presence', columns: ['active_at', 'connected_at'], only: IS_OWN },
  { table: 'alert_word', columns: ['word', 'added_at'], only: IS_OWN },
  { table: 'muted_user', columns: ['muted_user_id', 'muted_at'], only: IS_OWN },
  { table: 'navigation_view', columns: ['fragment', 'is_pinned', 'name'], only: IS_OWN },
  { table: 'subscription', columns: ['channel_id', 'is_active', 'is_muted', 'is_pinned', 'color'], only: IS_OWN },
  {
    table: 'channel',
    columns: ['id', 'name'],
    only: `exists (select from subscription s where s.realm_id = t.realm_id and s.channel_id = t.id and s.user_id = any($3))`,
  },
  { table: 'user_group_member', columns: ['group_id'], only: IS_OWN },
  { table: 'api_key', columns: ['id', 'label', 'created_at', 'revoked_at'], only: IS_OWN },
  { table: 'client_device', columns: ['id', 'registered_at'], only: IS_OWN },
  { table: 'push_token', columns: ['kind', 'app_id', 'registered_at'], only: IS_OWN },
  { table: 'email_change', columns: ['old_email', 'new_email', 'created_at', 'confirmed_at'], only: IS_OWN },
  {
    table: 'audit_entry',
    columns: ['seq', 'entry'],
    only: `(t.entry::jsonb #>> '{subject,kind}' = 'user' and (t.entry::jsonb #>> '{subject,id}')::bigint = any($3))
      or (t.entry::jsonb #>> '{actor,kind}' = 'user' and (t.entry::jsonb #>> '{actor,id}')::bigint = any($3))`,
    orderBy: 't.seq',
  },
];

/** This service's part of an organization's archive. */
export const ARCHIVE: ArchivePlan = {
  complete: [ORGANIZATION, ...archivedTables([...TABLES, ...KEPT_TABLES], LEFT_OUT, DETAILS)],
  shared: SHARED,
  personal: PERSONAL,
};

/** A placeholder that no organization may choose; findRealmBySubdomain() finds none by it until the import is finished. */
const NAMELESS = `'-import-' || gen_random_uuid()`;

const INSERT_IMPORTED = statement(
  `insert into realm (subdomain, name, created_at, is_deactivated, import_began_at, data_deleted_from)
   values (${NAMELESS}, '', to_timestamp($1 / 1000.0), true, to_timestamp($1 / 1000.0), to_timestamp($2 / 1000.0))
   returning id`,
  { id: z.number() },
);

/** Creates a closed organization, with data to be deleted from that time on; returns its id. */
export async function insertImported(
  tx: Transaction,
  { nowMs, dataDeletedFromMs }: { nowMs: number; dataDeletedFromMs: number },
): Promise<number> {
  return onlyRow(await tx.query(INSERT_IMPORTED, [nowMs, dataDeletedFromMs])).id;
}

interface FinishedImport {
  realmId: number;
  subdomain: string;
  uuid: string;
  isDeactivated: boolean;
}

const STORE_FINISHED = statement(
  `update realm set subdomain = $2, is_deactivated = $4, deactivated_at = case when $4 then deactivated_at end, import_began_at = null, data_deleted_from = null,
     uuid = case when exists (select from realm other where other.uuid = $3::uuid) then realm.uuid else $3::uuid end
   where id = $1 and import_began_at is not null and data_deleted_from > to_timestamp($5 / 1000.0) returning id`,
  { id: z.number() },
);

/** Opens the imported organization; false when its import has ended. Violates SUBDOMAIN_IS_UNIQUE. */
export async function storeFinishedImport(
  tx: Transaction,
  { realmId, subdomain, uuid, isDeactivated }: FinishedImport,
  nowMs: number,
): Promise<boolean> {
  const rows = await tx.query(STORE_FINISHED, [realmId, subdomain, uuid, isDeactivated, nowMs]);
  return rows.length > 0;
}

const END_IMPORT = statement(
  'update realm set data_deleted_from = to_timestamp($2 / 1000.0) where id = $1 and import_began_at is not null',
);

export async function endImport(tx: Transaction, realmId: number, nowMs: number): Promise<void> {
  await tx.query(END_IMPORT, [realmId, nowMs]);
}
