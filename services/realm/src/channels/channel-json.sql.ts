import { GROUP_SETTING_JSON } from '../group-settings/group-setting-json.sql';
import { SEND_SETTING } from '../group-settings/setting-place';

const FIELDS = `
  'id', c.id, 'name', c.name, 'description', c.description, 'renderedDescription', c.rendered_description,
  'creatorId', c.creator_id, 'isPrivate', c.is_private, 'isWebPublic', c.is_web_public,
  'isHistoryPublic', c.is_history_public, 'isArchived', c.is_archived, 'topicsPolicy', c.topics_policy,
  'subscriptionVersion', c.subscription_version, 'subscriberCount', c.subscriber_count,
  'messageRetentionDays', c.message_retention_days, 'folderId', c.folder_id, 'isQuiet', nullif(c.is_quiet, false),
  'createdAtMs', (extract(epoch from c.created_at) * 1000)::bigint`;

const STORED_SETTINGS = `(select json_object_agg(s.name, ${GROUP_SETTING_JSON}) from (
    select stored.name, stored.group_id from channel_group_setting stored
    where stored.realm_id = c.realm_id and stored.channel_id = c.id
    union all
    select '${SEND_SETTING}', c.can_send_message_group_id
  ) s join user_group value on value.realm_id = c.realm_id and value.id = s.group_id)`;

const IS_CREATOR_ACTIVE = `exists (
    select from user_account u where u.realm_id = c.realm_id and u.id = c.creator_id and u.is_active)`;

/** SQL for a StoredChannel as JSON, from a row of `channel` called `c`. */
export const CHANNEL_JSON = `json_strip_nulls(json_build_object(${FIELDS},
  'storedSettings', ${STORED_SETTINGS}, 'isCreatorActive', ${IS_CREATOR_ACTIVE}))`;

/** SQL for a Channel without its settings, which sending reads none of. */
export const BARE_CHANNEL_JSON = `json_strip_nulls(json_build_object(${FIELDS}))`;
