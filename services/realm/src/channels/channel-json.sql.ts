/** SQL for a Channel as JSON, from a row of `channel` called `c`. */
export const CHANNEL_JSON = `json_strip_nulls(json_build_object(
  'id', c.id, 'name', c.name, 'description', c.description, 'renderedDescription', c.rendered_description,
  'creatorId', c.creator_id, 'isPrivate', c.is_private, 'isWebPublic', c.is_web_public,
  'isHistoryPublic', c.is_history_public, 'isArchived', c.is_archived, 'topicsPolicy', c.topics_policy,
  'subscriptionVersion', c.subscription_version, 'subscriberCount', c.subscriber_count,
  'messageRetentionDays', c.message_retention_days, 'folderId', c.folder_id,
  'createdAtMs', (extract(epoch from c.created_at) * 1000)::bigint))`;
