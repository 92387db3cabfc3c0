import { findReferences, type Rendered, type WebsiteCard } from '@parley/shared/markdown';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findUploads } from '../uploads/find-uploads';
import { previewFacts } from '../uploads/preview-facts';
import { type Facts, renderContent } from './compose-message';
import { findTopicMessages } from './find-topic-messages';

/** Content as if the author sent it now, to whom is named: what it names is looked up in the same way. Nothing is stored. */
export async function renderAs(
  ctx: Context,
  author: Caller,
  content: string,
  websiteCards?: ReadonlyMap<string, WebsiteCard>,
  recipientIds: number[] = [],
): Promise<Rendered> {
  const { userNames, groupNames, channelNames, emojiNames, topics, uploadPathIds } = findReferences(content);
  const facts = await ctx.getSendFacts({
    realmId: author.realmId,
    senderId: author.userId,
    recipientIds,
    recipientEmails: [],
    mentionedNames: userNames,
    mentionedGroupNames: groupNames,
    linkedChannelNames: channelNames,
    emojiNames,
  });
  if (!facts.realm || !facts.sender) throw new Error(`realm does not know the user ${author.userId}`);
  const topicMessages = await findTopicMessages(ctx, author, topics, facts.linkedChannels);
  const previews = { ...previewFacts(ctx.config, await findUploads(ctx, author, uploadPathIds)), websiteCards };
  return ctx.rendering.run(author.userId, content, () =>
    renderContent(content, facts as Facts, ctx.config.EXTERNAL_HOST, topicMessages, previews),
  );
}
