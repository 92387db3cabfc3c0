import type { UserSettingName } from './user-settings';

/**
 * The settings known to clients without the capability `user_settings_object`, by the type of the events about them. These
 * clients also request that type at POST /register, and the settings are members of the answer.
 */
export const FORMER_USER_SETTINGS = {
  update_display_settings: [
    'color_scheme',
    'default_language',
    'demote_inactive_streams',
    'emojiset',
    'enable_drafts_synchronization',
    'enter_sends',
    'fluid_layout_width',
    'high_contrast_mode',
    'left_side_userlist',
    'receives_typing_notifications',
    'starred_message_counts',
    'translate_emoticons',
    'twenty_four_hour_time',
    'web_home_view',
  ],
  update_global_notifications: [
    'desktop_icon_count_display',
    'email_notifications_batching_period_seconds',
    'enable_desktop_notifications',
    'enable_digest_emails',
    'enable_login_emails',
    'enable_marketing_emails',
    'enable_offline_email_notifications',
    'enable_offline_push_notifications',
    'enable_online_push_notifications',
    'enable_sounds',
    'enable_stream_audible_notifications',
    'enable_stream_desktop_notifications',
    'enable_stream_email_notifications',
    'enable_stream_push_notifications',
    'message_content_in_email_notifications',
    'notification_sound',
    'pm_content_in_desktop_notifications',
    'presence_enabled',
    'realm_name_in_email_notifications_policy',
    'wildcard_mentions_notify',
  ],
} as const satisfies Record<string, readonly UserSettingName[]>;

export type FormerSettingsType = keyof typeof FORMER_USER_SETTINGS;

/** Whether clients know this setting under that type. */
export function isFormerSetting(type: FormerSettingsType, name: UserSettingName): boolean {
  return (FORMER_USER_SETTINGS[type] as readonly UserSettingName[]).includes(name);
}
