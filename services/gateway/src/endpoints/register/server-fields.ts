import {
  DATA_DELETION_DAYS,
  EMPTY_TOPIC_DISPLAY_NAME,
  EXTERNAL_ACCOUNT_KINDS,
  GIF_RATINGS,
  JITSI_SERVER_URL,
  LIMITS,
  LONGPOLL_TIMEOUT_SECS,
  PASSWORD_LIMITS,
  PRESENCE,
  REPORT_TYPES,
  TYPING,
  UPLOAD_LIMITS_MIB,
  VIDEO_CHAT_PROVIDERS,
} from '@parley/shared/values';
import { z } from 'zod';
import type { Members } from '../../http/endpoint';
import { JsonPieces } from '../../http/json-pieces';
import { EMOJI_DATA_PATH } from '../../pages/emoji-data';
import { permissionSettingsSchema, supportedPermissionSettings } from '../../wire/groups';

const SELF_HOSTED = 1;

const option = z.strictObject({ id: z.int(), name: z.string() });

const limitFields = {
  max_message_length: z.int(),
  max_topic_length: z.int(),
  max_stream_name_length: z.int(),
  max_stream_description_length: z.int(),
  max_channel_folder_name_length: z.int(),
  max_channel_folder_description_length: z.int(),
  max_reminder_note_length: z.int(),
  max_bulk_new_subscription_messages: z.int(),
  max_avatar_file_size_mib: z.int(),
  max_icon_file_size_mib: z.int(),
  max_logo_file_size_mib: z.int(),
  password_min_length: z.int(),
  password_max_length: z.int(),
  password_min_guesses: z.int(),
  server_min_deactivated_realm_deletion_days: z.int().nullable(),
  server_max_deactivated_realm_deletion_days: z.int().nullable(),
  server_presence_ping_interval_seconds: z.int(),
  server_presence_offline_threshold_seconds: z.int(),
  server_typing_started_expiry_period_milliseconds: z.int(),
  server_typing_stopped_wait_period_milliseconds: z.int(),
  server_typing_started_wait_period_milliseconds: z.int(),
  event_queue_longpoll_timeout_seconds: z.int(),
};

/** Fields with the same values for every organization, constant while the server runs. */
export const serverFields = {
  ...limitFields,
  service_plan_is_not_limited: z.boolean(),
  upgrade_text_for_wide_organization_logo: z.string(),
  realm_plan_type: z.int(),
  realm_empty_topic_display_name: z.string(),
  realm_presence_disabled: z.boolean(),
  realm_owner_full_content_access: z.boolean(),
  realm_push_notifications_enabled_end_timestamp: z.int().nullable(),
  realm_available_video_chat_providers: z.record(z.string(), option),
  realm_default_external_accounts: z.record(
    z.string(),
    z.strictObject({ name: z.string(), text: z.string(), hint: z.string(), url_pattern: z.string() }),
  ),
  giphy_rating_options: z.record(z.string(), option).describe('Deprecated alias of gif_rating_options.'),
  gif_rating_options: z.record(z.string(), option),
  settings_send_digest_emails: z.boolean(),
  server_avatar_changes_disabled: z.boolean(),
  server_name_changes_disabled: z.boolean(),
  server_inline_image_preview: z.boolean(),
  server_inline_url_embed_preview: z.boolean(),
  server_needs_upgrade: z.boolean(),
  server_can_summarize_topics: z.boolean(),
  server_emoji_data_url: z.string(),
  server_jitsi_server_url: z.string().nullable(),
  server_thumbnail_formats: z.array(
    z.strictObject({
      name: z.string(),
      max_width: z.int(),
      max_height: z.int(),
      format: z.string(),
      animated: z.boolean(),
    }),
  ),
  server_report_message_types: z.array(z.strictObject({ key: z.string(), name: z.string() })),
  server_supported_permission_settings: permissionSettingsSchema,
};

const limits = {
  max_message_length: LIMITS.messageLength,
  max_topic_length: LIMITS.topicLength,
  max_stream_name_length: LIMITS.channelNameLength,
  max_stream_description_length: LIMITS.channelDescriptionLength,
  max_channel_folder_name_length: LIMITS.channelFolderNameLength,
  max_channel_folder_description_length: LIMITS.channelFolderDescriptionLength,
  max_reminder_note_length: LIMITS.reminderNoteLength,
  max_bulk_new_subscription_messages: LIMITS.maxNotifiedSubscribers,
  max_avatar_file_size_mib: UPLOAD_LIMITS_MIB.avatar,
  max_icon_file_size_mib: UPLOAD_LIMITS_MIB.icon,
  max_logo_file_size_mib: UPLOAD_LIMITS_MIB.logo,
  password_min_length: PASSWORD_LIMITS.minLength,
  password_max_length: PASSWORD_LIMITS.maxLength,
  password_min_guesses: PASSWORD_LIMITS.minGuesses,
  server_min_deactivated_realm_deletion_days: DATA_DELETION_DAYS.min,
  server_max_deactivated_realm_deletion_days: DATA_DELETION_DAYS.max,
  server_presence_ping_interval_seconds: PRESENCE.pingIntervalSecs,
  server_presence_offline_threshold_seconds: PRESENCE.offlineThresholdSecs,
  server_typing_started_expiry_period_milliseconds: TYPING.startedExpiryMs,
  server_typing_stopped_wait_period_milliseconds: TYPING.stoppedWaitMs,
  server_typing_started_wait_period_milliseconds: TYPING.startedWaitMs,
  event_queue_longpoll_timeout_seconds: LONGPOLL_TIMEOUT_SECS,
};

const thumbnail = { max_width: 840, max_height: 560, format: 'webp' };

/** The values of serverFields. */
export const serverValues: Members<z.output<z.ZodObject<typeof serverFields>>> = {
  ...limits,
  service_plan_is_not_limited: true,
  upgrade_text_for_wide_organization_logo: '',
  realm_plan_type: SELF_HOSTED,
  realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
  realm_presence_disabled: false,
  realm_owner_full_content_access: false,
  realm_push_notifications_enabled_end_timestamp: null,
  realm_available_video_chat_providers: VIDEO_CHAT_PROVIDERS,
  realm_default_external_accounts: externalAccounts(),
  giphy_rating_options: GIF_RATINGS,
  gif_rating_options: GIF_RATINGS,
  settings_send_digest_emails: true,
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_inline_image_preview: true,
  server_inline_url_embed_preview: true,
  server_needs_upgrade: false,
  server_can_summarize_topics: false,
  server_emoji_data_url: EMOJI_DATA_PATH,
  server_jitsi_server_url: JITSI_SERVER_URL,
  server_thumbnail_formats: [
    { name: '840x560-anim.webp', ...thumbnail, animated: true },
    { name: '840x560.webp', ...thumbnail, animated: false },
  ],
  server_report_message_types: Object.entries(REPORT_TYPES).map(([key, name]) => ({ key, name })),
  // Longer than all others.
  server_supported_permission_settings: JsonPieces.shared([Buffer.from(JSON.stringify(supportedPermissionSettings))]),
};

/** Known kinds of external accounts, whose profile fields need no definition. */
function externalAccounts() {
  const kinds = Object.entries(EXTERNAL_ACCOUNT_KINDS);
  return Object.fromEntries(
    kinds.map(([subtype, { name, text, hint, urlPattern }]) => [
      subtype,
      { name, text, hint, url_pattern: urlPattern },
    ]),
  );
}
