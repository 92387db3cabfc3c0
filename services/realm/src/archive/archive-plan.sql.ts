import { type ArchivedTable, type ArchivePlan, archivedTables, type SharedTable } from '@parley/shared/archive';
import { KEPT_TABLES } from '../audit/audit.sql';
import { TABLES } from '../retention/purge.sql';

/** What ends by itself, soon, or is about things that stay behind: mails on their way, archives, counts of this database's sessions. */
const LEFT_OUT = [
  'sign_in_attempt',
  'sign_in_address',
  'mail_job',
  'email_change_key',
  'email_change',
  'list_change',
  'data_export',
];

/** The import decides what it is called, and whether it is open. */
const ORGANIZATION: ArchivedTable = {
  table: 'realm',
  realmColumn: 'id',
  isUpdated: true,
  omits: ['id', 'subdomain', 'uuid', 'is_deactivated', 'data_deleted_from', 'data_deleted_at', 'import_began_at'],
};

const DETAILS: readonly ArchivedTable[] = [
  // Bots after their owners.
  { table: 'user_account', orderBy: 't.bot_owner_id is not null, t.id' },
  // Nobody is let in by the same key in two organizations.
  { table: 'api_key', skipsTaken: true },
  { table: 'audit_entry', orderBy: 't.seq', replaces: { event: 'null' } },
  { table: 'avatar_image', rowsAtOnce: 5 },
  { table: 'custom_emoji_image', rowsAtOnce: 20 },
  { table: 'realm_image', rowsAtOnce: 5 },
];

const isShared = (channelId: string) => `(${channelId} = any($2) or ${channelId} = any($4))`;

/** What any member could list, but for addresses, and what is set for the channels that are shared. */
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
  // Of those who have consented.
  { table: 'profile_value', columns: ['user_id', 'field_id', 'value'], only: 't.user_id = any($3)' },
  { table: 'user_settings', columns: ['user_id', 'chosen'], only: 't.user_id = any($3)' },
  { table: 'alert_word', columns: ['user_id', 'word', 'added_at'], only: 't.user_id = any($3)' },
  {
    table: 'muted_user',
    columns: ['user_id', 'muted_user_id', 'muted_at'],
    only: 't.user_id = any($3)',
  },
];

/** What of this service goes into an organization's archive. */
export const ARCHIVE: ArchivePlan = {
  complete: [ORGANIZATION, ...archivedTables([...TABLES, ...KEPT_TABLES], LEFT_OUT, DETAILS)],
  shared: SHARED,
};
