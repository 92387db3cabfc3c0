import type { ConsumedEvent } from '@parley/shared/bus';
import type { NoticeAnnounced } from '@parley/shared/events';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findReferences, type References } from '../markdown';
import { composeMessage, type Facts, type Place, renderContent } from '../messages/compose-message';
import { normalizeContent } from '../messages/content';
import { findTopicMessages } from '../messages/find-topic-messages';
import { storeBatch } from '../messages/join-stores';
import type { NewMessage } from '../messages/new-message';
import { noticeKey } from '../send-keys/notice-key';
import { previewFacts } from '../uploads/preview-facts';

type NoticeEvent = ConsumedEvent<NoticeAnnounced>;

/** Shown as the client that sent the message. */
const CLIENT_NAME = 'Internal';
const MAX_BATCH = 64;

/** Sends what the service's own bots have to say, in order; a notice that was sent before is not sent again. */
export async function sendNotices(ctx: Context, events: readonly NoticeEvent[]): Promise<void> {
  const messages = (await Promise.all(events.map((event) => messagesOf(ctx, event)))).flat();
  for (let begin = 0; begin < messages.length; begin += MAX_BATCH) {
    const results = await storeBatch(ctx.db, messages.slice(begin, begin + MAX_BATCH));
    const failure = results.find((result) => result instanceof Error);
    if (failure) throw failure;
  }
}

/** One message to a channel, or one for each user who gets it. Nothing else is asked: whoever announces a notice has decided. */
async function messagesOf(ctx: Context, { id, realmId, payload }: NoticeEvent): Promise<NewMessage[]> {
  const { senderId, readByIds } = payload;
  const content = normalizeContent(payload.content);
  const references = findReferences(content);
  const facts = await gatherFacts(ctx, realmId, payload, references);
  const bot = { ...newCall(), realmId, userId: senderId };
  const topicMessageIds = await findTopicMessages(ctx, bot, references.topics, facts.linkedChannels);
  const rendered = renderContent(
    content,
    facts,
    ctx.config.EXTERNAL_HOST,
    topicMessageIds,
    previewFacts(ctx.config, []),
  );
  const draft = { facts, content, clientName: CLIENT_NAME, readByIds: [...readByIds] };
  return placesOf(payload, facts).map(({ key, place }) => ({
    key: noticeKey(id, key),
    sent: composeMessage({ ...draft, place }, rendered, ctx.clock.now()),
  }));
}

async function gatherFacts(
  ctx: Context,
  realmId: number,
  { senderId, to }: NoticeAnnounced,
  { userNames, groupNames, channelNames, emojiNames }: References,
): Promise<Facts> {
  const facts = await ctx.getSendFacts({
    realmId,
    senderId,
    ...('channelId' in to ? { channelId: to.channelId, recipientIds: [] } : { recipientIds: [...to.userIds] }),
    recipientEmails: [],
    mentionedNames: userNames,
    mentionedGroupNames: groupNames,
    linkedChannelNames: channelNames,
    emojiNames,
  });
  if (!facts.realm || !facts.sender) throw new Error(`organization ${realmId} has no system bot ${senderId}`);
  return facts as Facts;
}

/** Where a notice goes, with what tells its messages apart. Nobody gets one who was deactivated meanwhile. */
function placesOf({ to }: NoticeAnnounced, { sender, channel, recipients }: Facts): { key: string; place: Place }[] {
  if ('channelId' in to) {
    if (!channel?.channel) throw new Error(`there is no channel ${to.channelId} to send a notice to`);
    return [{ key: 'channel', place: { kind: 'channel', channel: channel.channel, topic: to.topic } }];
  }
  return recipients
    .filter(({ isActive, id }) => isActive && id !== sender.id)
    .map((recipient) => {
      const participants = [recipient, sender].sort((a, b) => a.id - b.id);
      return { key: `user ${recipient.id}`, place: { kind: 'direct', participants } };
    });
}
