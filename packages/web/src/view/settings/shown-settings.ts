import type { RealmPermissionName, RealmSettingName, UserSettingName } from '@parley/shared/settings';

// Which settings are shown where. A test holds that each declared one is here.

/** Settings of an account, by the part of a page. */
export const USER_SETTING_PARTS = {
  look: ['color_scheme', 'web_font_size_px', 'web_line_height_percent'],
  language: ['default_language', 'twenty_four_hour_time'],
  reading: [
    'web_home_view',
    'web_escape_navigates_to_home_view',
    'web_mark_read_on_scroll_policy',
    'web_left_sidebar_show_channel_folders',
    'demote_inactive_streams',
    'starred_message_counts',
    'display_emoji_reaction_users',
  ],
  writing: ['enter_sends', 'enable_drafts_synchronization', 'translate_emoticons', 'web_navigate_to_sent_message'],
  topics: [
    'automatically_follow_topics_policy',
    'automatically_unmute_topics_in_muted_streams_policy',
    'automatically_follow_topics_where_mentioned',
    'resolved_topic_notice_auto_read_policy',
  ],
  desktop: ['pm_content_in_desktop_notifications', 'notification_sound', 'desktop_icon_count_display'],
  push: ['enable_online_push_notifications'],
  mail: [
    'email_notifications_batching_period_seconds',
    'message_content_in_email_notifications',
    'realm_name_in_email_notifications_policy',
    'enable_digest_emails',
    'enable_login_emails',
  ],
  presence: ['presence_enabled', 'send_read_receipts'],
  typing: ['send_private_typing_notifications', 'send_stream_typing_notifications', 'receives_typing_notifications'],
  data: ['email_address_visibility', 'allow_private_data_export'],
} as const satisfies Record<string, readonly UserSettingName[]>;

export type UserSettingPart = keyof typeof USER_SETTING_PARTS;

/** The ways of the table of notifications, and the settings of each kind of message in their order. */
export const NOTIFICATION_WAYS = ['desktop', 'sound', 'push', 'mail', 'everybody'] as const;
export const NOTIFICATION_KINDS = {
  direct: [
    'enable_desktop_notifications',
    'enable_sounds',
    'enable_offline_push_notifications',
    'enable_offline_email_notifications',
    null,
  ],
  followed: [
    'enable_followed_topic_desktop_notifications',
    'enable_followed_topic_audible_notifications',
    'enable_followed_topic_push_notifications',
    'enable_followed_topic_email_notifications',
    'enable_followed_topic_wildcard_mentions_notify',
  ],
  channels: [
    'enable_stream_desktop_notifications',
    'enable_stream_audible_notifications',
    'enable_stream_push_notifications',
    'enable_stream_email_notifications',
    'wildcard_mentions_notify',
  ],
} as const satisfies Record<string, readonly (UserSettingName | null)[]>;

/** Settings of accounts that no form has, and why. */
export const USER_SETTINGS_LEFT_OUT: Partial<Record<UserSettingName, string>> = {
  high_contrast_mode: 'All colors of this client have enough contrast.',
  fluid_layout_width: 'This client takes the width that the window has.',
  left_side_userlist: 'People are on the right in this client.',
  web_suggest_update_timezone: 'This client does not ask for the time zone.',
  hide_ai_features: 'There are none.',
  emojiset: 'Emoji are those of the system.',
  user_list_style: 'The list of people has one style.',
  web_channel_default_view: 'A channel is opened with all its messages; its topics are on the left.',
  web_inbox_show_channel_folders: 'The inbox is by conversation.',
  web_stream_unreads_count_display_policy: 'Unread messages are counted for channels that are not muted.',
  web_left_sidebar_unreads_count_summary: 'The inbox says how much is unread.',
  web_animate_image_previews: 'Pictures move in the lightbox.',
  enable_marketing_emails: 'There are none.',
};

/** Settings of the organization, by the part of a page. */
export const REALM_SETTING_PARTS = {
  kind: ['org_type', 'default_language'],
  joining: [
    'invite_required',
    'emails_restricted_to_domains',
    'disallow_disposable_email_addresses',
    'waiting_period_threshold',
    'password_sign_in',
    'welcome_message_custom_text',
  ],
  names: ['name_changes_disabled', 'require_unique_names', 'email_changes_disabled', 'avatar_changes_disabled'],
  guests: ['enable_guest_user_indicator', 'enable_guest_user_dm_warning', 'enable_spectator_access'],
  editing: [
    'allow_message_editing',
    'message_content_edit_limit_seconds',
    'message_content_delete_limit_seconds',
    'move_messages_within_stream_limit_seconds',
    'move_messages_between_streams_limit_seconds',
    'message_edit_history_visibility_policy',
  ],
  messages: [
    'topics_policy',
    'message_retention_days',
    'enable_read_receipts',
    'inline_image_preview',
    'inline_url_embed_preview',
    'default_code_block_language',
    'video_chat_provider',
    'jitsi_server_url',
  ],
  notices: [
    'new_stream_announcements_stream_id',
    'signup_announcements_stream_id',
    'service_update_announcements_stream_id',
    'moderation_request_channel_id',
    'send_channel_events_messages',
  ],
  mail: [
    'digest_emails_enabled',
    'digest_weekday',
    'message_content_allowed_in_email_notifications',
    'require_e2ee_push_notifications',
  ],
  methods: ['authentication_methods'],
} as const satisfies Record<string, readonly RealmSettingName[]>;

export type RealmSettingPart = keyof typeof REALM_SETTING_PARTS;

export const REALM_SETTINGS_LEFT_OUT: Partial<Record<RealmSettingName, string>> = {
  giphy_rating: 'This client offers no GIFs of other sites.',
  want_advertise_in_communities_directory: 'There is no directory.',
  send_welcome_emails:
    'The welcome bot greets newcomers; mails are sent for accounts that an operator makes, if the operator says so.',
};

/** Permissions of the organization, by the part of a page. */
export const PERMISSION_PARTS = {
  people: ['can_invite_users_group', 'create_multiuse_invite_group', 'can_access_all_users_group'],
  direct: ['direct_message_initiator_group', 'direct_message_permission_group'],
  channels: [
    'can_create_public_channel_group',
    'can_create_private_channel_group',
    'can_create_web_public_channel_group',
    'can_add_subscribers_group',
  ],
  messages: [
    'can_mention_many_users_group',
    'can_move_messages_between_topics_group',
    'can_move_messages_between_channels_group',
    'can_resolve_topics_group',
    'can_delete_own_message_group',
    'can_delete_any_message_group',
    'can_set_topics_policy_group',
    'can_set_delete_message_policy_group',
  ],
  others: [
    'can_create_groups',
    'can_manage_all_groups',
    'can_create_bots_group',
    'can_create_write_only_bots_group',
    'can_add_custom_emoji_group',
  ],
} as const satisfies Record<string, readonly RealmPermissionName[]>;

export const PERMISSIONS_LEFT_OUT: Partial<Record<RealmPermissionName, string>> = {
  can_manage_billing_group: 'There is no billing.',
  can_summarize_topics_group: 'There are no summaries.',
};
