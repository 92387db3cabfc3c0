import {
  type ArchivedTable,
  type ArchivePlan,
  archivedTables,
  type SharedTable,
  wasReceived,
} from '@parley/shared/archive';
import { onlyRow, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import { TABLES } from '../deletions/purge.sql';

/**
 * Excluded: deleted messages, short-lived rows, counts of changes, and positions in realm's events, which have other numbers in another deployment.
 */
const LEFT_OUT = [
  'archived_message',
  'website_card',
  'draft_drop',
  'request_key',
  'beginning_change',
  'send_key_policy',
];

/** Files, also those without links: after an import they expire unless a message links to them. */
const isKept = (file: string) => `${file}.state = 'stored'`;

/** The HTML of a message may be a megabyte; its size is unknown beforehand. */
const MESSAGES_AT_ONCE = 10;

const DETAILS: readonly ArchivedTable[] = [
  { table: 'message', rowsAtOnce: MESSAGES_AT_ONCE },
  { table: 'message_edit', rowsAtOnce: MESSAGES_AT_ONCE },
  {
    table: 'attachment',
    only: isKept('t'),
    // The file at the path is deleted with the row, so it must belong to the organization.
    demands: `row.path_id ~ ('^' || $1::bigint || '/[0-9a-f]{1,2}/[0-9A-Za-z_-]{24}/[^/]{1,255}$') and row.path_id !~ '/[.]{1,2}$'`,
  },
  {
    table: 'upload_space',
    replaces: {
      bytes: `(select coalesce(sum(f.size), 0) from attachment f where f.realm_id = t.realm_id and ${isKept('f')})`,
    },
  },
  // These prevent that a scheduled message is sent twice; other keys belong to queues and events that are not exported.
  { table: 'send_key', only: `t.key like 'job:scheduled\\_message:%'` },
];

const FILES = [{ table: 'upload_space' }, { table: 'attachment' }];

/**
 * SQL: a message is in a channel with shared history, or in one with protected history and was received and never moved, or in a
 * direct conversation of a user who consented.
 */
const isShared = (message: string) => `case when ${message}.channel_id is not null
  then ${message}.channel_id = any($2) or (${message}.channel_id = ${message}.sent_channel_id and ${wasReceived(message)})
  else exists (select from direct_conversation d where d.realm_id = ${message}.realm_id
    and d.id = ${message}.conversation_id and d.participant_ids && $3::bigint[]) end`;

const isOfShared = (key: string) =>
  `exists (select from message m where m.realm_id = t.realm_id and m.id = ${key} and ${isShared('m')})`;

const HAS_SHARED = `exists (
  select from message m where m.realm_id = t.realm_id and m.conversation_id = t.id and ${isShared('m')})`;

const SHARED: readonly SharedTable[] = [
  { table: 'topic', columns: ['id', 'channel_id', 'name', 'max_message_id'], only: HAS_SHARED },
  {
    table: 'direct_conversation',
    columns: ['id', 'participant_ids', 'max_message_id'],
    only: 't.participant_ids && $3::bigint[]',
  },
  {
    table: 'message',
    columns: [
      ...['id', 'conversation_id', 'channel_id', 'sender_id', 'topic_name', 'content', 'rendered_content', 'sent_at'],
      'client_name',
    ],
    only: isShared('t'),
    rowsAtOnce: MESSAGES_AT_ONCE,
  },
  {
    table: 'reaction',
    columns: ['id', 'message_id', 'user_id', 'reaction_type', 'emoji_code', 'emoji_name'],
    only: isOfShared('t.message_id'),
  },
  {
    table: 'submessage',
    columns: ['id', 'message_id', 'sender_id', 'msg_type', 'content'],
    only: isOfShared('t.message_id'),
  },
  { table: 'attachment_link', columns: ['attachment_id', 'message_id'], only: isOfShared('t.message_id') },
  {
    table: 'attachment',
    columns: ['id', 'owner_id', 'path_id', 'name', 'content_type', 'size', 'created_at'],
    only: `t.state = 'stored' and exists (select from attachment_link l where l.realm_id = t.realm_id
      and l.attachment_id = t.id and ${isOfShared('l.message_id')})`,
  },
  // Private rows of users who have consented.
  {
    table: 'draft',
    columns: ['id', 'user_id', 'channel_id', 'recipient_ids', 'topic', 'content', 'edited_at'],
    only: 't.user_id = any($3)',
  },
  {
    table: 'saved_snippet',
    columns: ['id', 'user_id', 'title', 'content', 'created_at'],
    only: 't.user_id = any($3)',
  },
  {
    table: 'personal_flag',
    columns: ['user_id', 'message_id', 'is_starred'],
    only: 't.user_id = any($3) and t.is_starred',
  },
  {
    table: 'topic_policy',
    columns: ['user_id', 'channel_id', 'name', 'policy', 'updated_at'],
    only: 't.user_id = any($3)',
  },
];

const IS_OWN = 't.user_id = any($3)';

/** A user's messages, direct messages to them, and their own rows. */
const PERSONAL: readonly SharedTable[] = [
  {
    table: 'direct_conversation',
    columns: ['id', 'participant_ids', 'max_message_id'],
    only: 't.participant_ids && $3::bigint[]',
  },
  {
    table: 'message',
    columns: [
      ...['id', 'conversation_id', 'channel_id', 'sender_id', 'topic_name', 'content', 'rendered_content', 'sent_at'],
      'client_name',
    ],
    only: `t.sender_id = any($3) or t.channel_id is null and exists (select from direct_conversation d
      where d.realm_id = t.realm_id and d.id = t.conversation_id and d.participant_ids && $3::bigint[])`,
    rowsAtOnce: MESSAGES_AT_ONCE,
  },
  {
    table: 'reaction',
    columns: ['id', 'message_id', 'user_id', 'reaction_type', 'emoji_code', 'emoji_name'],
    only: IS_OWN,
  },
  { table: 'draft', columns: ['id', 'channel_id', 'recipient_ids', 'topic', 'content', 'edited_at'], only: IS_OWN },
  { table: 'saved_snippet', columns: ['id', 'title', 'content', 'created_at'], only: IS_OWN },
  { table: 'personal_flag', columns: ['message_id', 'is_starred'], only: `${IS_OWN} and t.is_starred` },
  { table: 'topic_policy', columns: ['channel_id', 'name', 'policy', 'updated_at'], only: IS_OWN },
  {
    table: 'attachment',
    columns: ['id', 'owner_id', 'path_id', 'name', 'content_type', 'size', 'created_at'],
    only: `t.owner_id = any($3) and t.state = 'stored'`,
  },
];

/** This service's part of an organization's export. */
export const ARCHIVE: ArchivePlan = {
  complete: archivedTables([...TABLES, ...FILES], LEFT_OUT, DETAILS),
  shared: SHARED,
  personal: PERSONAL,
};

const COUNT_MESSAGES = statement(
  'select count(*) as count from (select 1 from message where realm_id = $1 limit $2) counted',
  { count: z.number() },
);

/** Counts no further than `limit`. */
export async function countMessages(sql: Sql, realmId: number, limit: number): Promise<number> {
  return onlyRow(await sql.query(COUNT_MESSAGES, [realmId, limit])).count;
}
