import type { ChannelSendFacts } from '@parley/shared/proto';
import { userSettingsOf } from '@parley/shared/values';
import type { Facts } from '../messages/compose-message';
import type { TopicPoliciesOfSend } from '../messages/new-message';
import { habitsOf, policiesOnSend } from './automatic-policy';

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
