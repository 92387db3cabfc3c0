import { findReferences, type References } from '@parley/shared/markdown';
import type { SendMessageRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { checkWidgetContent } from '../submessages/check-widget-content';
import { widgetOf } from '../submessages/widget';
import { policiesOfSend } from '../topic-policies/policies-of-send';
import { findUploads } from '../uploads/find-uploads';
import { claimedIds, previewFacts } from '../uploads/preview-facts';
import { checkMentions } from './check-mentions';
import { composeMessage, type Draft, type Facts, isInQuietChannel, type Place, renderContent } from './compose-message';
import { normalizeContent } from './content';
import { decidePlace } from './decide-place';
import { type Destination, destinationOf } from './destination';
import { findTopicMessages } from './find-topic-messages';
import { gatherSendFacts, hasEarlierMessages } from './gather-send-facts';
import type { NewMessage } from './new-message';
import { checkPlaceGiven } from './permissions';
import { checkJob } from './send-permissions';
import { warnBotOwner } from './warn-bot-owner';
import { webhookCallOf } from './webhook-call';

/** A send, with all that it depends on. */
export interface Gathered {
  to: Destination;
  /** Normalized. */
  content: string;
  references: References;
  facts: Facts;
}

/** Asks for all that a send depends on. */
export async function gatherSend(ctx: Context, caller: Caller, request: SendMessageRequest): Promise<Gathered> {
  const to = destinationOf(request);
  const content = normalizeContent(request.content);
  const references = findReferences(content);
  return { to, content, references, facts: await gatherSendFacts(ctx, caller, request, to, references) };
}

/** The message that is sent; throws when it may not be. */
export async function prepareMessage(
  ctx: Context,
  caller: Caller,
  request: SendMessageRequest,
  { to, content, references, facts }: Gathered,
): Promise<Omit<NewMessage, 'key'>> {
  if (request.jobKey !== undefined) checkJob(request, facts, ctx.clock.now());
  if (to.kind === 'channel') {
    checkPlaceGiven(to, facts.channel);
    await warnBotOwner(ctx, facts, to);
  }
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
  const call = webhookCallOf(facts, place, rendered);
  const attachmentIds = claimedIds(uploads, rendered);
  return {
    sent,
    widget,
    policies,
    attachmentIds,
    call,
    wakesChannel: isInQuietChannel(place),
    cardUrls: rendered.cardUrls,
  };
}

function draftOf(request: SendMessageRequest, facts: Facts, place: Place, content: string): Draft {
  const { clientName, isReadBySender, queueId, localId } = request;
  const readByIds = isReadBySender ? [facts.sender.id] : [];
  return { facts, place, content, clientName, readByIds, queueId, localId };
}
