import type { ChannelSendFacts } from '@parley/shared/proto';
import { userSettingsOf } from '@parley/shared/values';
import type { RequiredSendFacts } from '../access/destination';

/** A user's policies for a topic; 0: none. */
export const MUTED = 1;
export const UNMUTED = 2;
export const FOLLOWED = 3;

/** Values of the settings `automatically_follow_topics_policy` and `automatically_unmute_topics_in_muted_streams_policy`. */
const ON_PARTICIPATION = 1;
const ON_SEND = 2;
const ON_INITIATION = 3;

/** The user's settings for automatic topic policies. */
interface TopicHabits {
  followPolicy: number;
  unmutePolicy: number;
  isChannelMuted: boolean;
}

interface HabitSettings {
  automatically_follow_topics_policy: unknown;
  automatically_unmute_topics_in_muted_streams_policy: unknown;
}

export function habitsOf(settings: HabitSettings, isChannelMuted: boolean): TopicHabits {
  return {
    followPolicy: Number(settings.automatically_follow_topics_policy),
    unmutePolicy: Number(settings.automatically_unmute_topics_in_muted_streams_policy),
    isChannelMuted,
  };
}

/** The policy after a reaction or a vote. */
export function afterParticipation(policy: number, habits: TopicHabits): number {
  return policy === FOLLOWED ? policy : (policyOn([ON_PARTICIPATION], habits) ?? policy);
}

interface PoliciesOnSend {
  /** The policy after sending, unless it was FOLLOWED; null: unchanged. */
  onSend: number | null;
  /** The policy of a sender without one, after their first visible message in the topic. */
  onInitiation: number | null;
}

export function policiesOnSend(habits: TopicHabits): PoliciesOnSend {
  const onSend = policyOn([ON_PARTICIPATION, ON_SEND], habits);
  const onInitiation = policyOn([ON_INITIATION], habits);
  // Following a topic on starting it takes precedence over unmuting it on writing.
  return {
    onSend,
    onInitiation: onSend === null || (onSend === UNMUTED && onInitiation === FOLLOWED) ? onInitiation : null,
  };
}

/** Following takes precedence over unmuting, which has a meaning in muted channels only. */
function policyOn(occasions: readonly number[], { followPolicy, unmutePolicy, isChannelMuted }: TopicHabits) {
  if (occasions.includes(followPolicy)) return FOLLOWED;
  return isChannelMuted && occasions.includes(unmutePolicy) ? UNMUTED : null;
}

/** The users whose policies for the topic a message changes. */
export interface TopicPoliciesOfSend extends PoliciesOnSend {
  /** The subscription versions whose messages the sender sees, as a multirange; null: all. */
  seenVersions: string | null;
  /** Users who follow the topic because of a mention, unless they have muted it. */
  followerIds: number[];
}

/** A channel message may change the policies of its sender and of the users it mentions. */
export function policiesOfSend(
  { sender, senderSettings, channel, mentionFollowerIds }: RequiredSendFacts,
  mentionedIds: readonly number[],
): TopicPoliciesOfSend {
  const facts = channel as ChannelSendFacts;
  const policies = sender.isBot
    ? { onSend: null, onInitiation: null }
    : policiesOnSend(habitsOf(userSettingsOf(senderSettings), facts.isMuted));
  const followers = new Set(mentionFollowerIds);
  return {
    ...policies,
    seenVersions: seenVersions(facts),
    followerIds: mentionedIds.filter((id) => followers.has(id)),
  };
}

function seenVersions({ isHistoryProtected, seenIntervals }: ChannelSendFacts): string | null {
  if (!isHistoryProtected) return null;
  return `{${seenIntervals.map(({ fromVersion, toVersion = '' }) => `[${fromVersion},${toVersion})`).join(',')}}`;
}
