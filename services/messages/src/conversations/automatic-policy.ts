import type { ChannelSendFacts } from '@parley/shared/proto';
import { userSettingsOf } from '@parley/shared/values';
import type { Facts } from '../access/destination';

/** What a user can decide about a topic; 0: nothing. */
export const MUTED = 1;
export const UNMUTED = 2;
export const FOLLOWED = 3;

/** Values of the settings `automatically_follow_topics_policy` and `automatically_unmute_topics_in_muted_streams_policy`. */
const ON_PARTICIPATION = 1;
const ON_SEND = 2;
const ON_INITIATION = 3;

/** What decides whether somebody's own doings change their policy for a topic. */
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

/** What reacting, or voting in a poll, makes of a policy. */
export function afterParticipation(policy: number, habits: TopicHabits): number {
  return policy === FOLLOWED ? policy : (policyOn([ON_PARTICIPATION], habits) ?? policy);
}

interface PoliciesOnSend {
  /** What sending makes of every policy but FOLLOWED; null: it changes none. */
  onSend: number | null;
  /** What becomes the policy of whoever has none and writes the first message that they can see in the topic. */
  onInitiation: number | null;
}

export function policiesOnSend(habits: TopicHabits): PoliciesOnSend {
  const onSend = policyOn([ON_PARTICIPATION, ON_SEND], habits);
  const onInitiation = policyOn([ON_INITIATION], habits);
  // Following what one begins comes before unmuting what one writes to.
  return {
    onSend,
    onInitiation: onSend === null || (onSend === UNMUTED && onInitiation === FOLLOWED) ? onInitiation : null,
  };
}

/** Following comes before unmuting, which only means something in a muted channel. */
function policyOn(occasions: readonly number[], { followPolicy, unmutePolicy, isChannelMuted }: TopicHabits) {
  if (occasions.includes(followPolicy)) return FOLLOWED;
  return isChannelMuted && occasions.includes(unmutePolicy) ? UNMUTED : null;
}

/** Whose policies for the topic change with a message. */
export interface TopicPoliciesOfSend extends PoliciesOnSend {
  /** The subscription versions of which the sender sees messages, as a multirange; null: the sender sees all. */
  seenVersions: string | null;
  /** Who follow the topic because they are mentioned, unless they have muted it. */
  followerIds: number[];
}

/** Whose policies for the topic a message to a channel may change: its sender's, and those of whom it mentions. */
export function policiesOfSend(
  { sender, senderSettings, channel, mentionFollowerIds }: Facts,
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
