import type { UserSetting as UserSettingMessage } from '../proto';
import { isLanguage } from './languages';

/** Names of the sounds of clients. */
export const NOTIFICATION_SOUNDS = ['chime', 'ding', 'knock', 'pop', 'ripple'] as const;

/** The emoji sets that clients offer, in the order of the menu. */
export const EMOJI_SETS = [
  { key: 'google', text: 'Google' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
  { key: 'google-blob', text: 'Google blobs' },
] as const;

export type SettingValue = boolean | number | string;

/** A setting of an account. Its type is that of its default. */
export interface UserSetting {
  readonly default: SettingValue;
  /** Absent: every value of the type, within `range` and `isValid`. */
  readonly choices?: readonly SettingValue[];
  readonly range?: { readonly min: number; readonly max: number };
  readonly isValid?: (text: string) => boolean;
  /** Former values with their current ones. */
  readonly formerChoices?: Readonly<Record<string, SettingValue>>;
  /** Not part of an organization's defaults for new accounts. */
  readonly isPersonal?: true;
}

const POLICY_OF_THREE = [1, 2, 3];
const POLICY_OF_FOUR = [1, 2, 3, 4];

// SPEC-GAP: the limits of the two are not documented; these exceed what is readable.
const FONT_SIZE_RANGE = { min: 1, max: 200 };
const LINE_HEIGHT_RANGE = { min: 1, max: 1_000 };

/**
 * Every setting of an account by its name in the API, which is also its name in the database and in events.
 * The gateway's parameters, the answers of POST /register and the OpenAPI document derive from it; realm checks values by it.
 */
const CATALOGUE = {
  twenty_four_hour_time: { default: false },
  web_mark_read_on_scroll_policy: { default: 1, choices: POLICY_OF_THREE },
  web_channel_default_view: { default: 1, choices: POLICY_OF_FOUR },
  starred_message_counts: { default: true },
  receives_typing_notifications: { default: true },
  web_suggest_update_timezone: { default: true },
  fluid_layout_width: { default: false },
  high_contrast_mode: { default: false },
  web_font_size_px: { default: 16, range: FONT_SIZE_RANGE },
  web_line_height_percent: { default: 140, range: LINE_HEIGHT_RANGE },
  color_scheme: { default: 1, choices: POLICY_OF_THREE },
  enable_drafts_synchronization: { default: true },
  translate_emoticons: { default: false },
  display_emoji_reaction_users: { default: true },
  default_language: { default: 'en', isValid: isLanguage, isPersonal: true },
  web_home_view: {
    default: 'inbox',
    choices: ['inbox', 'recent', 'all_messages'],
    // COMPAT(level 454)
    formerChoices: { recent_topics: 'recent' },
  },
  web_escape_navigates_to_home_view: { default: true },
  left_side_userlist: { default: false },
  emojiset: { default: 'google', choices: EMOJI_SETS.map(({ key }) => key) },
  demote_inactive_streams: { default: 1, choices: POLICY_OF_THREE },
  // SPEC-GAP: 2 in older documents, 3 in newer ones.
  user_list_style: { default: 3, choices: POLICY_OF_THREE },
  web_animate_image_previews: { default: 'on_hover', choices: ['always', 'on_hover', 'never'] },
  web_stream_unreads_count_display_policy: { default: 2, choices: POLICY_OF_THREE },
  hide_ai_features: { default: false },
  web_left_sidebar_show_channel_folders: { default: true },
  web_left_sidebar_unreads_count_summary: { default: true },
  web_inbox_show_channel_folders: { default: true },
  web_navigate_to_sent_message: { default: true },
  enable_stream_desktop_notifications: { default: false },
  enable_stream_email_notifications: { default: false },
  enable_stream_push_notifications: { default: false },
  enable_stream_audible_notifications: { default: false },
  notification_sound: { default: 'chime', choices: ['none', ...NOTIFICATION_SOUNDS] },
  wildcard_mentions_notify: { default: true },
  enable_followed_topic_desktop_notifications: { default: true },
  enable_followed_topic_email_notifications: { default: true },
  enable_followed_topic_push_notifications: { default: true },
  enable_followed_topic_audible_notifications: { default: true },
  enable_followed_topic_wildcard_mentions_notify: { default: true },
  enable_desktop_notifications: { default: true },
  pm_content_in_desktop_notifications: { default: true },
  enable_sounds: { default: true },
  enable_offline_email_notifications: { default: true },
  enable_offline_push_notifications: { default: true },
  enable_online_push_notifications: { default: true },
  message_content_in_email_notifications: { default: true },
  email_notifications_batching_period_seconds: { default: 120, range: { min: 1, max: 604_800 } },
  desktop_icon_count_display: { default: 1, choices: POLICY_OF_FOUR },
  realm_name_in_email_notifications_policy: { default: 1, choices: POLICY_OF_THREE },
  enable_digest_emails: { default: true },
  enable_login_emails: { default: true, isPersonal: true },
  enable_marketing_emails: { default: true, isPersonal: true },
  automatically_follow_topics_policy: { default: 3, choices: POLICY_OF_FOUR },
  automatically_unmute_topics_in_muted_streams_policy: { default: 2, choices: POLICY_OF_FOUR },
  automatically_follow_topics_where_mentioned: { default: true },
  resolved_topic_notice_auto_read_policy: {
    default: 'except_followed',
    choices: ['always', 'except_followed', 'never'],
  },
  presence_enabled: { default: true },
  enter_sends: { default: false },
  send_private_typing_notifications: { default: true },
  send_stream_typing_notifications: { default: true },
  send_read_receipts: { default: true },
  allow_private_data_export: { default: false, isPersonal: true },
  email_address_visibility: { default: 1, choices: [1, 2, 3, 4, 5] },
} satisfies Record<string, UserSetting>;

export type UserSettingName = keyof typeof CATALOGUE;

/** Values by name: some, in the database and in requests, or all settings of an account. */
export type UserSettings = Record<UserSettingName, SettingValue>;

export const USER_SETTINGS: Readonly<Record<UserSettingName, UserSetting>> = CATALOGUE;

export const USER_SETTING_NAMES = Object.keys(CATALOGUE) as UserSettingName[];

/** The default of each setting. */
export const USER_SETTING_DEFAULTS = Object.fromEntries(
  USER_SETTING_NAMES.map((name) => [name, USER_SETTINGS[name].default]),
) as Readonly<UserSettings>;

/** Whether there is a setting of that name; for untrusted names. */
export function isUserSettingName(name: string): name is UserSettingName {
  return Object.hasOwn(CATALOGUE, name);
}

/** Every setting of an account, from its explicit choices as JSON; called where facts about an account are received. */
export function userSettingsOf(chosen: string): Readonly<UserSettings> {
  return { ...USER_SETTING_DEFAULTS, ...(JSON.parse(chosen) as Partial<UserSettings>) };
}

/** A setting's value in messages between services; called by the gateway and by realm. */
export function settingMessage(name: UserSettingName, value: SettingValue): UserSettingMessage {
  if (typeof value === 'boolean') return { name, boolean: value };
  return typeof value === 'number' ? { name, integer: value } : { name, text: value };
}

/** The inverse of settingMessage; undefined if a message has no value. */
export function settingValueOf({ boolean, integer, text }: UserSettingMessage): SettingValue | undefined {
  return boolean ?? integer ?? text;
}
