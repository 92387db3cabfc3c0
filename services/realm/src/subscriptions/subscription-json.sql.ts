/** SQL for what a user has set for a channel, as JSON, from a row of `subscription` called `s`. */
export const SUBSCRIPTION_JSON = `json_strip_nulls(json_build_object(
  'color', s.color, 'isMuted', s.is_muted, 'isPinned', s.is_pinned,
  'desktopNotifications', s.desktop_notifications, 'audibleNotifications', s.audible_notifications,
  'pushNotifications', s.push_notifications, 'emailNotifications', s.email_notifications,
  'wildcardMentionsNotify', s.wildcard_mentions_notify))`;
