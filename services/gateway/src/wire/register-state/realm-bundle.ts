import type { Organization } from '@parley/shared/proto';
import {
  EMPTY_TOPIC_DISPLAY_NAME,
  EXTERNAL_ACCOUNT_KINDS,
  LIMITS,
  LONGPOLL_TIMEOUT_SECS,
  TYPING,
  toSeconds,
} from '@parley/shared/values';
import { z } from 'zod';
import { organizationIcon } from '../organization-icon';
import { permissionSettingsSchema, supportedPermissionSettings } from '../permission-settings';
import { bundle } from './bundle';

const SELF_HOSTED = 1;
const FOR_EVER = -1;

/** The organization and the server's bounds. */
export const realmBundle = bundle({
  type: 'realm',
  fields: {
    realm_name: z.string(),
    realm_description: z.string(),
    realm_url: z.string(),
    realm_uri: z.string().describe('Deprecated alias of realm_url.'),
    realm_icon_url: z.string(),
    realm_icon_source: z.string(),
    realm_date_created: z.int(),
    realm_plan_type: z.int(),
    service_plan_is_not_limited: z.boolean(),
    realm_topics_policy: z.enum(['allow_empty_topic', 'disable_empty_topic']),
    realm_mandatory_topics: z.boolean().describe('Deprecated; derived from realm_topics_policy.'),
    realm_empty_topic_display_name: z.string(),
    realm_message_retention_days: z.int(),
    realm_enable_spectator_access: z.boolean(),
    max_message_length: z.int(),
    max_topic_length: z.int(),
    max_stream_name_length: z.int(),
    max_stream_description_length: z.int(),
    max_channel_folder_name_length: z.int(),
    max_channel_folder_description_length: z.int(),
    realm_default_external_accounts: z.record(
      z.string(),
      z.strictObject({ name: z.string(), text: z.string(), hint: z.string(), url_pattern: z.string() }),
    ),
    server_generation: z.int(),
    server_web_public_streams_enabled: z.boolean(),
    server_typing_started_expiry_period_milliseconds: z.int(),
    server_typing_stopped_wait_period_milliseconds: z.int(),
    server_typing_started_wait_period_milliseconds: z.int(),
    event_queue_longpoll_timeout_seconds: z.int(),
    server_supported_permission_settings: permissionSettingsSchema,
  },
  present(state, { origin, startedAtMs }) {
    const realm = state.realm as Organization;
    return {
      realm_name: realm.name,
      realm_description: realm.description,
      realm_url: origin,
      realm_uri: origin,
      realm_icon_url: organizationIcon(origin),
      realm_icon_source: 'G',
      realm_date_created: toSeconds(realm.createdAtMs),
      realm_topics_policy: realm.topicsPolicy as 'allow_empty_topic' | 'disable_empty_topic',
      realm_mandatory_topics: realm.topicsPolicy === 'disable_empty_topic',
      realm_message_retention_days: FOR_EVER,
      realm_enable_spectator_access: false,
      server_generation: toSeconds(startedAtMs),
      ...SERVER_BOUNDS,
    };
  },
});

const SERVER_BOUNDS = {
  realm_plan_type: SELF_HOSTED,
  service_plan_is_not_limited: true,
  realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
  max_message_length: LIMITS.messageLength,
  max_topic_length: LIMITS.topicLength,
  max_stream_name_length: LIMITS.channelNameLength,
  max_stream_description_length: LIMITS.channelDescriptionLength,
  max_channel_folder_name_length: LIMITS.channelFolderNameLength,
  max_channel_folder_description_length: LIMITS.channelFolderDescriptionLength,
  realm_default_external_accounts: externalAccounts(),
  server_web_public_streams_enabled: false,
  server_typing_started_expiry_period_milliseconds: TYPING.startedExpiryMs,
  server_typing_stopped_wait_period_milliseconds: TYPING.stoppedWaitMs,
  server_typing_started_wait_period_milliseconds: TYPING.startedWaitMs,
  event_queue_longpoll_timeout_seconds: LONGPOLL_TIMEOUT_SECS,
  server_supported_permission_settings: supportedPermissionSettings,
};

/** Accounts elsewhere for which a profile field need not be described. */
function externalAccounts() {
  const kinds = Object.entries(EXTERNAL_ACCOUNT_KINDS);
  return Object.fromEntries(
    kinds.map(([subtype, { name, text, hint, urlPattern }]) => [
      subtype,
      { name, text, hint, url_pattern: urlPattern },
    ]),
  );
}
