import { BadRequestError } from '@parley/shared/errors';
import type { ListTopicsRequest, TopicList } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadReader } from '../access/load-reader';
import type { Context } from '../context';
import { EVERYTHING, type Narrow } from '../narrows/narrow';
import { listTopicsIn } from './list-topics.sql';

/** The topics of a channel, archived or not, each with its newest message that the caller may read, sorted by it. */
export async function listTopics(ctx: Context, caller: Caller, { channelId }: ListTopicsRequest): Promise<TopicList> {
  const reader = await loadReader(ctx, caller, { ids: [channelId] });
  const channel = reader.channels.get(channelId);
  if (!channel?.hasContentAccess) throw new BadRequestError('Invalid channel ID');
  const narrow: Narrow = channel.mayReadHistory
    ? { ...EVERYTHING, scope: { kind: 'history', channelIds: [channelId] } }
    : EVERYTHING;
  return { topics: await listTopicsIn(ctx.db, { reader, narrow }, channelId) };
}
