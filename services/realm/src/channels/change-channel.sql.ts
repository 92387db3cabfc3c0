import type { Sql } from '@parley/shared/db';
import type { ChannelChange } from '@parley/shared/events';
import { nameKey } from '../name-key';
import { renderedFrom } from '../rendering/stale-texts.sql';

/** Stores what becomes different in a channel's own row. */
export async function storeChannelChange(
  sql: Sql,
  realmId: number,
  channelId: number,
  { name, description, privacy, ...change }: ChannelChange,
): Promise<void> {
  await sql.query(
    `update channel set name = coalesce($3, name), name_key = coalesce($4, name_key),
       description = coalesce($5, description), rendered_description = coalesce($6, rendered_description),
       rendered_from = case when $5::text is null then rendered_from else ${renderedFrom('$5::text')} end,
       is_private = coalesce($7, is_private), is_web_public = coalesce($8, is_web_public),
       is_history_public = coalesce($9, is_history_public), topics_policy = coalesce($10, topics_policy),
       message_retention_days = case when $11 then $12 else message_retention_days end,
       folder_id = case when $13 then $14 else folder_id end
     where realm_id = $1 and id = $2`,
    [
      realmId,
      channelId,
      name,
      name === undefined ? undefined : nameKey(name),
      description?.text,
      description?.rendered,
      privacy?.isPrivate,
      privacy?.isWebPublic,
      privacy?.isHistoryPublic,
      change.topicsPolicy,
      change.messageRetentionDays !== undefined,
      change.messageRetentionDays ?? null,
      change.folderId !== undefined,
      change.folderId ?? null,
    ],
  );
}

export async function setIsArchived(sql: Sql, realmId: number, channelId: number, isArchived: boolean): Promise<void> {
  await sql.query('update channel set is_archived = $3 where realm_id = $1 and id = $2', [
    realmId,
    channelId,
    isArchived,
  ]);
}
