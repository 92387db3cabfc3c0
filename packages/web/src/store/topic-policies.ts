import { computed } from '@preact/signals';
import { call } from '../api/call';
import type { Narrow } from '../narrow/narrow';
import { read, subscription } from './model';

/** A person's policy for a topic, which overrides that of its channel. */
export const POLICY = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;
export type Policy = (typeof POLICY)[keyof typeof POLICY];

const keyOf = (channelId: number, topic: string) => `${channelId}/${topic.toLowerCase()}`;

const policies = computed(() => {
  const { user_topics: topics } = read('channels');
  return new Map(topics.map((each) => [keyOf(each.stream_id, each.topic_name), each.visibility_policy as Policy]));
});

export function policyOf(channelId: number, topic: string): Policy {
  return policies.value.get(keyOf(channelId, topic)) ?? POLICY.none;
}

/** By its own policy, or with its channel. */
export function isTopicMuted(channelId: number, topic: string): boolean {
  const policy = policyOf(channelId, topic);
  return policy === POLICY.none ? (subscription(channelId)?.is_muted ?? false) : policy === POLICY.muted;
}

export function isFollowed({ narrow }: { narrow: Narrow }): boolean {
  return narrow.kind === 'topic' && policyOf(narrow.channelId, narrow.topic) === POLICY.followed;
}

export function setPolicy(channelId: number, topic: string, policy: Policy): Promise<unknown> {
  return call('POST', '/user_topics', { stream_id: channelId, topic, visibility_policy: policy });
}

/** Muted becomes heard and the other way round, within what the channel is. */
export function toggledMute(channelId: number, topic: string): Policy {
  const isChannelMuted = subscription(channelId)?.is_muted ?? false;
  if (isTopicMuted(channelId, topic)) return isChannelMuted ? POLICY.unmuted : POLICY.none;
  return isChannelMuted ? POLICY.none : POLICY.muted;
}
