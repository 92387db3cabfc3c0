/** The facts that decide whether a message notifies. */
export interface Facts {
  isOwn: boolean;
  isDirect: boolean;
  flags: readonly string[];
  /** It is not new: an edit has made it a mention. */
  isEdited?: boolean;
  isSenderMuted: boolean;
  /** One's settings for the channel; null where those for all channels count. */
  channel?: ChannelFacts | undefined;
  /** 0 none, 1 muted, 2 unmuted, 3 followed. */
  topicPolicy: number;
  settings: Readonly<Record<string, unknown>>;
}

interface ChannelFacts {
  is_muted: boolean;
  desktop_notifications: boolean | null;
  audible_notifications: boolean | null;
  wildcard_mentions_notify: boolean | null;
}

export interface Ways {
  desktop: boolean;
  sound: boolean;
}

const TOPIC = { muted: 1, followed: 3 } as const;
const NO_WAY: Ways = { desktop: false, sound: false };

/** How a new message notifies, or one that mentions the person since an edit. */
export function waysOf(facts: Facts): Ways {
  const { isOwn, isSenderMuted, flags, isDirect, isEdited = false } = facts;
  if (isOwn || isSenderMuted || flags.includes('read')) return NO_WAY;
  const isForMe = isDirect || flags.includes('mentioned') || flags.includes('has_alert_word') || isForEverybody(facts);
  const personal = isForMe && !(isMuted(facts) && !flags.includes('mentioned')) ? personalWays(facts) : NO_WAY;
  const other = isDirect || isEdited || isMuted(facts) ? NO_WAY : channelWays(facts);
  return { desktop: personal.desktop || other.desktop, sound: personal.sound || other.sound };
}

const personalWays = ({ settings }: Facts): Ways => ({
  desktop: settings['enable_desktop_notifications'] === true,
  sound: settings['enable_sounds'] === true,
});

function channelWays({ channel, topicPolicy, settings }: Facts): Ways {
  const isFollowed = topicPolicy === TOPIC.followed;
  const way = (own: boolean | null | undefined, all: string, followed: string) =>
    (own ?? settings[all] === true) || (isFollowed && settings[followed] === true);
  return {
    desktop: way(
      channel?.desktop_notifications,
      'enable_stream_desktop_notifications',
      'enable_followed_topic_desktop_notifications',
    ),
    sound: way(
      channel?.audible_notifications,
      'enable_stream_audible_notifications',
      'enable_followed_topic_audible_notifications',
    ),
  };
}

/** Mentions of all that the person wants to hear of. */
function isForEverybody({ flags, channel, topicPolicy, settings }: Facts): boolean {
  if (!flags.some((flag) => flag.endsWith('wildcard_mentioned'))) return false;
  const isFollowed = topicPolicy === TOPIC.followed;
  if (isFollowed && settings['enable_followed_topic_wildcard_mentions_notify'] === true) return true;
  return channel?.wildcard_mentions_notify ?? settings['wildcard_mentions_notify'] === true;
}

/** An unmuted or followed topic of a muted channel is not muted. */
function isMuted({ channel, topicPolicy }: Facts): boolean {
  return topicPolicy === TOPIC.muted || (topicPolicy === 0 && channel?.is_muted === true);
}
