import { announce, type ConsumedEvent } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { mutedTopicsChanged, type TopicPolicyChanged } from '@parley/shared/events';
import type {
  GetPoliciesOfTopicsRequest,
  GetPoliciesOfTopicsResponse,
  SetTopicPolicyRequest,
  SetTopicPolicyResponse,
  TopicPolicies,
} from '@parley/shared/proto';
import { type Caller, newCall } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { EMPTY_TOPIC_DISPLAY_NAME, findForbiddenCharacter, LIMITS, truncate } from '@parley/shared/values';
import { loadReader } from '../access/load-reader';
import type { ReadableChannel, Reader } from '../access/permissions';
import type { Context } from '../context';
import { MUTED } from '../conversations/automatic-policy';
import { listPoliciesOfTopics, listTopicPoliciesOf, type TopicPolicyRow } from '../conversations/topic-policies.sql';
import { arePoliciesStale, changeTopicPolicy, presentTopicPolicies } from './change-topic-policy';
import { followAccess } from './follow-access';

/** Mutes, unmutes or follows a topic for the caller, whether or not it has messages; 0 removes the policy. */
export async function setTopicPolicy(
  ctx: Context,
  caller: Caller,
  request: SetTopicPolicyRequest,
): Promise<SetTopicPolicyResponse> {
  const topic = topicOf(request.topic);
  // A name may be that of any channel.
  const reader = await loadReader(
    ctx,
    caller,
    request.channelId === undefined ? undefined : { ids: [request.channelId] },
  );
  const channelId = channelIdOf(request, reader);
  await ctx.db.transaction(async (tx) => {
    const next = (before: number) => {
      // A policy can be removed even if the channel is hidden now.
      if (request.policy === 0 && before !== 0) return 0;
      checkChannel(reader.channels.get(channelId), request.policy);
      return request.policy;
    };
    await announce(tx, ...(await changeTopicPolicy(tx, { reader, channelId, topic }, next, ctx.clock.now())));
  });
  return {};
}

function topicOf(text: string): string {
  const topic = text.trim();
  const position = findForbiddenCharacter(topic);
  if (position !== null) throw new BadRequestError(REFUSAL.channels.topicCharacter(String(position)));
  return topic === EMPTY_TOPIC_DISPLAY_NAME ? '' : truncate(topic, LIMITS.topicLength, '...');
}

function channelIdOf({ channelId, channelName = '' }: SetTopicPolicyRequest, { channels }: Reader): number {
  if (channelId !== undefined) return channelId;
  const key = channelName.trim().toLowerCase();
  const named = [...channels.values()].find(({ name, isHidden }) => name.toLowerCase() === key && !isHidden);
  if (!named) throw new BadRequestError(`Invalid channel name '${channelName}'`);
  return named.channelId;
}

function checkChannel(channel: ReadableChannel | undefined, policy: number): void {
  const mayDecide = policy === 0 ? channel?.isHidden === false : channel?.hasContentAccess && !channel.isArchived;
  if (!mayDecide) throw new BadRequestError('Invalid channel ID');
}

const MAX_TOPICS = 1_000;

/** The users with a policy for each of the topics: on whom they decide whether a message notifies. */
export async function getPoliciesOfTopics(
  { db }: Pick<Context, 'db'>,
  { topics }: GetPoliciesOfTopicsRequest,
): Promise<GetPoliciesOfTopicsResponse> {
  if (topics.length > MAX_TOPICS) throw new BadRequestError(`Too many topics in one call (limit: ${MAX_TOPICS})`);
  const rows = new Map((await listPoliciesOfTopics(db, topics)).map(({ n, ...policies }) => [n, policies]));
  return { topics: topics.map((_, index) => rows.get(index + 1) ?? { userIds: [], policies: [] }) };
}

/** All topic policies of the caller. */
export async function listTopicPolicies(ctx: Context, caller: Caller): Promise<TopicPolicies> {
  const { realmId, userId } = caller;
  const { policies, reader } = await loadPolicies(ctx, caller);
  if (!arePoliciesStale(policies, reader)) return { topicPolicies: presentTopicPolicies(policies, reader) };
  await followAccess(ctx, { realmId, userIds: [userId], channelIds: null });
  const now = await loadPolicies(ctx, caller);
  return { topicPolicies: presentTopicPolicies(now.policies, now.reader) };
}

async function loadPolicies(ctx: Context, caller: Caller): Promise<{ policies: TopicPolicyRow[]; reader: Reader }> {
  const policies = await listTopicPoliciesOf(ctx.db, caller.realmId, caller.userId);
  const ids = [...new Set(policies.map(({ channelId }) => channelId))];
  return { policies, reader: await loadReader(ctx, caller, { ids }) };
}

/**
 * Announces a user's complete list of muted topics after any change: by the user, a message or a move, whose events
 * lack the user's other topics. One event per user, with the latest state.
 */
export async function announceMutedTopics(
  ctx: Context,
  events: readonly ConsumedEvent<TopicPolicyChanged>[],
): Promise<void> {
  const changes = events.filter(({ payload }) => payload.changesMuted);
  const users = new Map(
    changes.map(({ realmId, payload: { userId } }) => [`${realmId}/${userId}`, { realmId, userId }]),
  );
  for (const user of users.values()) await announceFor(ctx, user);
}

async function announceFor(ctx: Context, { realmId, userId }: { realmId: number; userId: number }): Promise<void> {
  const policies = await listTopicPoliciesOf(ctx.db, realmId, userId);
  const muted = policies.filter(({ policy }) => policy === MUTED);
  const ids = [...new Set(muted.map(({ channelId }) => channelId))];
  const reader = await loadReader(ctx, { ...newCall(), realmId, userId }, { ids });
  const event = mutedTopicsChanged(realmId, { userId, mutedTopics: presentTopicPolicies(muted, reader) });
  await ctx.db.transaction((tx) => announce(tx, event));
}
