import { BadRequestError } from '@parley/shared/errors';
import type { MarkTopicAsReadRequest, MarkTopicAsReadResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { EMPTY_TOPIC_DISPLAY_NAME, findForbiddenCharacter, topicKey } from '@parley/shared/values';
import type { Context } from '../context';
import { listTopics } from '../conversations/conversation.sql';
import { loadReader } from '../messages/load-reader';
import type { Reader } from '../messages/permissions';
import { EVERYTHING } from '../narrows/narrow';
import { hasMessagesIn } from '../topics/list-topics.sql';
import { markUnread } from './mark-unread';
import { checkChannel } from './permissions';
import { markConversationRead } from './read-state.sql';

/** Everything that was sent to the topic so far is read. */
export async function markTopicAsRead(
  ctx: Context,
  caller: Caller,
  { channelId, topic }: MarkTopicAsReadRequest,
): Promise<MarkTopicAsReadResponse> {
  const reader = await loadReader(ctx, caller);
  checkChannel(reader, channelId);
  const conversationId = await findOwnTopic(ctx, reader, channelId, topic);
  await markUnread(ctx, reader, { conversationIds: [conversationId] }, (tx) =>
    markConversationRead(tx, caller.realmId, caller.userId, conversationId),
  );
  return {};
}

/** The topic's conversation, when the reader has received something in it. */
async function findOwnTopic(ctx: Context, reader: Reader, channelId: number, sent: string): Promise<number> {
  const topic = sent.trim() === EMPTY_TOPIC_DISPLAY_NAME ? '' : sent.trim();
  const isPossible = findForbiddenCharacter(topic) === null;
  const [found] = isPossible ? await listTopics(ctx.db, reader.realm.id, [channelId], topicKey(topic)) : [];
  const isOwn = found !== undefined && (await hasMessagesIn(ctx.db, { reader, narrow: EVERYTHING }, found.id));
  if (!isOwn) throw new BadRequestError(`No such topic '${topic}'`);
  return found.id;
}
