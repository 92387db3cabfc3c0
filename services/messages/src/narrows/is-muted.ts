import type { Reader } from '../access/permissions';
import { MUTED } from '../conversations/automatic-policy';
import { isAny, isInChannels, isInConversations, isNot } from './conditions.sql';
import type { Condition } from './narrow';
import type { TopicPolicyPlace } from './scope.sql';

/**
 * In a muted topic, or in a muted channel and not in a topic that is unmuted or followed. Who names a channel wants to see it,
 * muted or not.
 */
export function isMutedFor(reader: Reader, policies: readonly TopicPolicyPlace[], namesChannel: boolean): Condition {
  const idsOf = (places: readonly TopicPolicyPlace[]) => places.map(({ id }) => id);
  const mutedTopics = isInConversations(idsOf(policies.filter(({ policy }) => policy === MUTED)));
  if (namesChannel) return mutedTopics;
  const channelIds = [...reader.channels.values()].filter(({ isMuted }) => isMuted).map(({ channelId }) => channelId);
  const heard = isInConversations(idsOf(policies.filter(({ policy }) => policy !== MUTED)));
  return isAny([mutedTopics, (bind) => `${isInChannels(channelIds)(bind)} and ${isNot(heard)(bind)}`]);
}
