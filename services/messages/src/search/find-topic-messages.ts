import type { MarkdownFacts, References } from '@parley/shared/markdown';
import type { ChannelName } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { topicKey } from '@parley/shared/values';
import { loadReader } from '../access/load-reader';
import type { Reader } from '../access/permissions';
import type { Context } from '../context';
import { listTopics } from '../conversations/conversation.sql';
import { EVERYTHING, type Scope } from '../narrows/narrow';
import { findMessages } from './find-messages';

/** Each costs a lookup; further topics are linked by name only. */
const MAX_TOPICS = 20;

export type TopicMessage = NonNullable<MarkdownFacts['topicMessageIds']>[number];

/** For each topic that the content links to, the newest message in it that the author may read. */
export async function findTopicMessages(
  ctx: Context,
  caller: Caller,
  topics: References['topics'],
  channels: readonly ChannelName[],
): Promise<TopicMessage[]> {
  if (topics.length === 0 || channels.length === 0) return [];
  const linked = topics.slice(0, MAX_TOPICS).flatMap(({ channelName, topic }) => {
    const channel = channels.find(({ name }) => name === channelName);
    return channel ? [{ channelId: channel.id, topic }] : [];
  });
  const ids = [...new Set(linked.map(({ channelId }) => channelId))];
  const reader = await loadReader(ctx, caller, { ids, withOwn: true });
  const found = linked.map(({ channelId, topic }) => findNewest(ctx, reader, channelId, topic));
  return (await Promise.all(found)).filter((message) => message !== undefined);
}

async function findNewest(
  ctx: Context,
  reader: Reader,
  channelId: number,
  topic: string,
): Promise<TopicMessage | undefined> {
  const realmId = reader.realm.id;
  const conversations = await listTopics(ctx.db, realmId, [channelId], topicKey(topic));
  const mayReadHistory = reader.channels.get(channelId)?.mayReadHistory === true;
  const scope: Scope = mayReadHistory ? { kind: 'history', channelIds: [channelId] } : { kind: 'received' };
  const search = { reader, narrow: { ...EVERYTHING, conversations, scope } };
  const newest = { realmId, direction: 'before', fromId: Number.MAX_SAFE_INTEGER, limit: 1 } as const;
  const [messageId] = await findMessages(ctx, search, newest);
  return messageId === undefined ? undefined : { channelId, topic, messageId };
}
