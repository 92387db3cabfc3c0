import type { RenderContentRequest, RenderContentResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findReferences } from '../markdown';
import { findUploads } from '../uploads/find-uploads';
import { previewFacts } from '../uploads/preview-facts';
import { type Facts, renderContent as toHtml } from './compose-message';
import { findTopicMessages } from './find-topic-messages';

/** Content as HTML, as if the caller sent it: what it names is looked up in the same way. Nothing is stored. */
export async function renderContent(
  ctx: Context,
  caller: Caller,
  request: RenderContentRequest,
): Promise<RenderContentResponse> {
  const content = request.content.replaceAll('\0', '');
  const { userNames, groupNames, channelNames, emojiNames, topics, uploadPathIds } = findReferences(content);
  const facts = await ctx.getSendFacts({
    realmId: caller.realmId,
    senderId: caller.userId,
    recipientIds: [],
    recipientEmails: [],
    mentionedNames: userNames,
    mentionedGroupNames: groupNames,
    linkedChannelNames: channelNames,
    emojiNames,
  });
  if (!facts.realm || !facts.sender) throw new Error(`realm does not know the user ${caller.userId}`);
  const topicMessages = await findTopicMessages(ctx, caller, topics, facts.linkedChannels);
  const previews = previewFacts(ctx.config, await findUploads(ctx, caller, uploadPathIds));
  const { html } = await ctx.rendering.run(caller.userId, content, () =>
    toHtml(content, facts as Facts, ctx.config.EXTERNAL_HOST, topicMessages, previews),
  );
  return { rendered: html };
}
