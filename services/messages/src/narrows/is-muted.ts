import type { Reader } from '../access/permissions';
import { MUTED } from '../conversations/automatic-policy';
import { isAny, isInChannels, isInConversations, isNot } from './conditions.sql';
import type { Bind, Condition } from './narrow';
import type { TopicPolicyPlace } from './scope.sql';

/**
 * In a muted topic, or in a muted channel and not in an unmuted or followed topic. A narrow that names a channel includes muted
 * messages.
 */
export function isMutedFor(reader: Reader, policies: readonly TopicPolicyPlace[], namesChannel: boolean): Condition {
  const idsOf = (places: readonly TopicPolicyPlace[]) => places.map(({ id }) => id);
  const mutedTopics = isInConversations(idsOf(policies.filter(({ policy }) => policy === MUTED)));
  if (namesChannel) return mutedTopics;
  const channelIds = mutedChannelIds(reader);
  const heard = isInConversations(idsOf(policies.filter(({ policy }) => policy !== MUTED)));
  return isAny([mutedTopics, (bind) => `${isInChannels(channelIds)(bind)} and ${isNot(heard)(bind)}`]);
}

/** The same by the policies as they are stored: for statements that look at few messages, and need no other one before. */
export function isMutedByPolicies(reader: Reader, namesChannel: boolean): Condition {
  return (bind) => {
    const isInTopic = (isMeant: string) => `(m.conversation_id in (
      select t.id from topic_policy p
      join topic t on t.realm_id = p.realm_id and t.channel_id = p.channel_id and t.name_key = p.name_key
      where ${policiesOf(reader, bind)} and p.policy ${isMeant})) is true`;
    if (namesChannel) return isInTopic(`= ${MUTED}`);
    const isInChannel = isInChannels(mutedChannelIds(reader))(bind);
    return `(${isInTopic(`= ${MUTED}`)} or ${isInChannel} and (${isInTopic(`<> ${MUTED}`)}) is not true)`;
  };
}

/** SQL: whether something may not be muted in a channel, itself SQL. */
export function mayBeHeardIn(channelId: string, reader: Reader, bind: Bind): string {
  return `(${channelId} <> all(${bind(mutedChannelIds(reader), 'bigint[]')}) or ${channelId} = any(array(
    select p.channel_id from topic_policy p where ${policiesOf(reader, bind)} and p.policy <> ${MUTED})))`;
}

function policiesOf({ realm, userId }: Reader, bind: Bind): string {
  return `p.realm_id = ${bind(realm.id, 'bigint')} and p.user_id = ${bind(userId, 'bigint')}`;
}

function mutedChannelIds({ channels }: Reader): number[] {
  return [...channels.values()].filter(({ isMuted }) => isMuted).map(({ channelId }) => channelId);
}
