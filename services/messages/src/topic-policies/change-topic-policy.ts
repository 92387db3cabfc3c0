import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, topicPolicyChanged } from '@parley/shared/events';
import type { TopicPolicy } from '@parley/shared/proto';
import type { ChannelReader } from '../access/permissions';
import { afterParticipation, habitsOf, MUTED } from '../conversations/automatic-policy';
import {
  lockTopicPolicy,
  markPoliciesShown,
  storeTopicPolicy,
  type TopicPolicyRow,
} from '../conversations/topic-policies.sql';
import type { AccessedMessage, Actor } from '../messages/access-message';

interface TopicOfReader {
  reader: Actor;
  channelId: number;
  topic: string;
}

/** Sets the reader's policy for a topic to the one that `next` derives from the current one; returns the events to announce. */
export async function changeTopicPolicy(
  tx: Transaction,
  { reader, channelId, topic }: TopicOfReader,
  next: (policy: number) => number,
  nowMs: number,
): Promise<DomainEvent[]> {
  const { userId, realm } = reader;
  const of = { realmId: realm.id, userId, channelId, topic };
  const { policy: before, isShown } = await lockTopicPolicy(tx, of);
  const policy = next(before);
  if (policy === before) return [];
  await storeTopicPolicy(tx, of, policy, nowMs);
  // No event for the removal of a policy that the user cannot see.
  if (policy === 0 && !isShown) return [];
  const topicPolicy = presentTopicPolicy({ channelId, topic, policy, updatedAtMs: nowMs }, reader);
  const changesMuted = before === MUTED || policy === MUTED;
  return [topicPolicyChanged(realm.id, { userId, topicPolicy, ...(changesMuted && { changesMuted }) })];
}

/** The policies that clients have, without hidden ones. */
export function presentTopicPolicies(policies: readonly TopicPolicyRow[], reader: ChannelReader): TopicPolicy[] {
  return policies.filter(({ isShown }) => isShown).map((policy) => presentTopicPolicy(policy, reader));
}

/** Whether access has changed and `isShown` is not updated yet. */
export function arePoliciesStale(policies: readonly TopicPolicyRow[], reader: ChannelReader): boolean {
  return policies.some(({ channelId, isShown }) => isShown !== mayBeShown(channelId, reader));
}

/**
 * Policies for topics are kept, and shown while the reader may read the channel. Those of archived channels stay: no event
 * removes them on clients, and they apply again after the channel is restored.
 */
function mayBeShown(channelId: number, { channels }: ChannelReader): boolean {
  return channels.get(channelId)?.hasContentAccess === true;
}

/** The policy as in events. */
function presentTopicPolicy(policy: Omit<TopicPolicyRow, 'isShown'>, { channels }: ChannelReader): TopicPolicy {
  const { channelId, topic, policy: value, updatedAtMs } = policy;
  return { channelId, topic, policy: value, updatedAtMs, channelName: channels.get(channelId)?.name ?? '' };
}

interface DecisionsOfReader {
  reader: ChannelReader;
  /** Channels with topics for which the reader has a policy. */
  channelIds: readonly number[];
}

/** Hides and shows topic policies by the readers' access to the channels; returns the events to announce. */
export async function showTopicPolicies(
  tx: Transaction,
  realmId: number,
  decisions: readonly DecisionsOfReader[],
): Promise<DomainEvent[]> {
  const channels = decisions.flatMap(({ reader, channelIds }) =>
    channelIds.map((channelId) => ({ userId: reader.userId, channelId, isShown: mayBeShown(channelId, reader) })),
  );
  if (channels.length === 0) return [];
  const changed = await markPoliciesShown(tx, realmId, channels);
  const readers = new Map(decisions.map(({ reader }) => [reader.userId, reader]));
  return changed.map(({ userId, ...row }) => {
    const shown = row.isShown ? row : { ...row, policy: 0 };
    const topicPolicy = presentTopicPolicy(shown, readers.get(userId) as ChannelReader);
    const changesMuted = row.policy === MUTED;
    return topicPolicyChanged(realmId, { userId, topicPolicy, ...(changesMuted && { changesMuted }) });
  });
}

/** Whether the user's settings say to follow or unmute topics after this kind of act. */
export function mayFollowByTakingPart(accessed: AccessedMessage): boolean {
  const habits = habitsIn(accessed);
  return habits !== null && afterParticipation(0, habits) !== 0;
}

/**
 * Follows or unmutes the topic for the user who has just acted in it, if their settings say so; returns the events to announce.
 */
export async function participate(tx: Transaction, accessed: AccessedMessage, nowMs: number): Promise<DomainEvent[]> {
  const { message, reader } = accessed;
  const { channelId, topic } = message;
  const habits = habitsIn(accessed);
  if (habits === null || channelId === null || !mayFollowByTakingPart(accessed)) return [];
  const next = (policy: number) => afterParticipation(policy, habits);
  return changeTopicPolicy(tx, { reader, channelId, topic }, next, nowMs);
}

function habitsIn({ message: { channelId }, reader, user, settings }: AccessedMessage) {
  const channel = channelId === null ? undefined : reader.channels.get(channelId);
  return channel?.isSubscribed && !user.isBot ? habitsOf(settings, channel.isMuted) : null;
}
