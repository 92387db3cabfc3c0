import { type Audience, type DomainEvent, messageEdited } from '@parley/shared/events';
import { findReferences, type Rendered, type WebsiteCard } from '@parley/shared/markdown';
import type { RenderContentRequest, RenderContentResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { RequiredSendFacts } from '../access/destination';
import type { Context } from '../context';
import type { MessageRow } from '../messages/message.sql';
import { flagFactsOf, type Mentioned } from '../messages/present-messages';
import { findTopicMessages } from '../search/find-topic-messages';
import { findUploads, previewFacts } from '../uploads/find-uploads';
import { renderContent as renderWithFacts } from './compose-message';

/** Renders content as if the author sent it now, with the same lookups. Nothing is stored. */
export async function renderAs(
  ctx: Context,
  author: Caller,
  content: string,
  websiteCards?: ReadonlyMap<string, WebsiteCard>,
  recipientIds: number[] = [],
): Promise<Rendered> {
  const { userNames, groupNames, channelNames, emojiNames, topics, uploadPathIds } = findReferences(content);
  const facts = await ctx.getSendFacts(author, {
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
    renderWithFacts(content, facts as RequiredSendFacts, ctx.config.EXTERNAL_HOST, topicMessages, previews),
  );
}

/** Content as HTML, as if the caller sent it. */
export async function renderContent(
  ctx: Context,
  caller: Caller,
  request: RenderContentRequest,
): Promise<RenderContentResponse> {
  const { html } = await renderAs(ctx, caller, request.content.replaceAll('\0', ''));
  return { rendered: html };
}

interface Rerendering {
  renderedContent: string;
  mentioned: Mentioned;
  /** As for an edit. */
  audience: Audience;
  nowMs: number;
}

/** The event for a new rendering of unchanged content. */
export function renderedAgain(
  realmId: number,
  message: MessageRow,
  { renderedContent, mentioned, audience, nowMs }: Rerendering,
): DomainEvent {
  const { id, content, isMeMessage } = message;
  return messageEdited(realmId, {
    editorId: null,
    editedAtMs: nowMs,
    messageId: id,
    messageIds: [id],
    content: {
      prevContent: content,
      prevRenderedContent: message.renderedContent,
      content,
      renderedContent,
      isMeMessage,
    },
    audience,
    ...flagFactsOf(message, mentioned),
  });
}
