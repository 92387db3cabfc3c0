import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import type { ChannelReadFacts, SetTopicPolicyRequest, SetTopicPolicyResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { EMPTY_TOPIC_DISPLAY_NAME, findForbiddenCharacter, LIMITS, truncate } from '@parley/shared/values';
import type { Context } from '../context';
import { loadReader } from '../messages/load-reader';
import type { Reader } from '../messages/permissions';
import { changeTopicPolicy } from './change-topic-policy';

/** Mutes, unmutes or follows a topic for the caller, whether it has messages or not; 0 takes that back. */
export async function setTopicPolicy(
  ctx: Context,
  caller: Caller,
  request: SetTopicPolicyRequest,
): Promise<SetTopicPolicyResponse> {
  const topic = topicOf(request.topic);
  const reader = await loadReader(ctx, caller);
  const channelId = channelIdOf(request, reader);
  await ctx.db.transaction(async (tx) => {
    const next = (before: number) => {
      // What was decided of a channel that is out of sight by now can still be taken back.
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
  if (position !== null) throw new BadRequestError(`Invalid character in topic, at position ${position}!`);
  return topic === EMPTY_TOPIC_DISPLAY_NAME ? '' : truncate(topic, LIMITS.topicLength, '...');
}

function channelIdOf({ channelId, channelName = '' }: SetTopicPolicyRequest, { channels }: Reader): number {
  if (channelId !== undefined) return channelId;
  const key = channelName.trim().toLowerCase();
  const named = [...channels.values()].find(({ name, isHidden }) => name.toLowerCase() === key && !isHidden);
  if (!named) throw new BadRequestError(`Invalid channel name '${channelName}'`);
  return named.channelId;
}

function checkChannel(channel: ChannelReadFacts | undefined, policy: number): void {
  const mayDecide = policy === 0 ? channel?.isHidden === false : channel?.hasContentAccess && !channel.isArchived;
  if (!mayDecide) throw new BadRequestError('Invalid channel ID');
}
