import { PublicError } from '@parley/shared/errors';
import type { SendMessageRequest, SendMessageResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findReferences, type References } from '../markdown';
import { findFirstAnswer } from '../send-keys/send-key.sql';
import { sendKeyOf } from '../send-keys/send-key-of';
import { checkWidgetContent } from '../submessages/check-widget-content';
import { widgetOf } from '../submessages/widget';
import { policiesOfSend } from '../topic-policies/policies-of-send';
import { findUploads } from '../uploads/find-uploads';
import { claimedIds, previewFacts } from '../uploads/preview-facts';
import { checkMentions } from './check-mentions';
import { composeMessage, type Draft, type Facts, type Place, renderContent } from './compose-message';
import { normalizeContent } from './content';
import { decidePlace } from './decide-place';
import { type Destination, destinationOf } from './destination';
import { findTopicMessages } from './find-topic-messages';
import { gatherSendFacts, hasEarlierMessages } from './gather-send-facts';
import type { NewMessage } from './new-message';
import { warnBotOwner } from './warn-bot-owner';

/** Sends a message once: a repeated key gets the first answer again. */
export async function sendMessage(
  ctx: Context,
  caller: Caller,
  request: SendMessageRequest,
): Promise<SendMessageResponse> {
  const key = sendKeyOf(request);
  const to = destinationOf(request);
  const content = normalizeContent(request.content);
  const references = findReferences(content);
  const facts = await gatherSendFacts(ctx, caller, request, to, references);
  try {
    const message = await newMessage(ctx, caller, request, { to, content, references, facts });
    const { messageId, newPolicy } = await ctx.storeMessage({ key, ...message });
    return { messageId, ...(newPolicy !== null && { automaticNewVisibilityPolicy: newPolicy }) };
  } catch (error) {
    if (key === null || !(error instanceof PublicError)) throw error;
    // What is refused now may be the retry of what was allowed before: in a channel archived meanwhile, for instance.
    const messageId = await findFirstAnswer(ctx, caller.realmId, caller.userId, key);
    if (messageId === null) throw error;
    return { messageId };
  }
}

interface Gathered {
  to: Destination;
  /** Normalized. */
  content: string;
  references: References;
  facts: Facts;
}

/** The message that is sent; throws when it may not be. */
async function newMessage(
  ctx: Context,
  caller: Caller,
  request: SendMessageRequest,
  { to, content, references, facts }: Gathered,
): Promise<Omit<NewMessage, 'key'>> {
  if (to.kind === 'channel') await warnBotOwner(ctx, facts, to);
  const place = decidePlace(request, to, facts, await hasEarlierMessages(ctx, to, facts));
  const topicMessageIds = await findTopicMessages(ctx, caller, references.topics, facts.linkedChannels);
  const uploads = await findUploads(ctx, caller, references.uploadPathIds);
  const rendered = await ctx.rendering.run(caller.userId, content, () =>
    renderContent(content, facts, ctx.config.EXTERNAL_HOST, topicMessageIds, previewFacts(ctx.config, uploads)),
  );
  const topicParticipantIds = await checkMentions(ctx, facts, place, rendered);
  const { widgetContent } = request;
  const widget = widgetContent === undefined ? widgetOf(content) : checkWidgetContent(widgetContent);
  const composed = composeMessage(draftOf(request, facts, place, content), rendered, ctx.clock.now());
  const sent = { ...composed, ...(topicParticipantIds && { topicParticipantIds }) };
  const policies = place.kind === 'channel' ? policiesOfSend(facts, sent.mentionedIds) : null;
  return { sent, widget, policies, attachmentIds: claimedIds(uploads, rendered) };
}

function draftOf(request: SendMessageRequest, facts: Facts, place: Place, content: string): Draft {
  const { clientName, isReadBySender, queueId, localId } = request;
  const readByIds = isReadBySender ? [facts.sender.id] : [];
  return { facts, place, content, clientName, readByIds, queueId, localId };
}
