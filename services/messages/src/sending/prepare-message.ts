import type { WebhookCall } from '@parley/shared/events';
import { findReferences, type References, type Rendered } from '@parley/shared/markdown';
import type {
  CheckedMessage,
  CheckMessageRequest,
  DirectSendFacts,
  SendMessageRequest,
  User,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { BOT_TYPES, topicKey } from '@parley/shared/values';
import { type Destination, destinationOf, participantsOf, type RequiredSendFacts } from '../access/destination';
import {
  accessChannel,
  checkGroupMentions,
  checkPlaceGiven,
  checkRecipients,
  checkTopicsPolicy,
} from '../access/permissions';
import {
  type AllowedDestination,
  checkContent,
  composeMessage,
  type Draft,
  isInQuietChannel,
  normalizeContent,
  renderContent,
} from '../content/compose-message';
import type { NewMessage } from '../content/new-message';
import { checkWidgetContent, widgetOf } from '../content/widget';
import type { Context } from '../context';
import { policiesOfSend } from '../conversations/automatic-policy';
import { listParticipants } from '../conversations/conversation.sql';
import { findTopicMessages } from '../search/find-topic-messages';
import { extendUploadRetention } from '../uploads/attachment.sql';
import { claimedIds, findUploads, previewFacts } from '../uploads/find-uploads';
import { UNUSED_LIFETIME_MS } from '../uploads/resumable-uploads';
import { gatherSendFacts, hasEarlierMessages } from './gather-send-facts';
import { checkDirectPermission, checkJob, checkNewTopic, checkWildcards, MANY } from './send-permissions';
import { warnBotOwner } from './warn-bot-owner';

/** A send with all of its input. */
interface GatheredSend {
  to: Destination;
  /** Normalized. */
  content: string;
  references: References;
  facts: RequiredSendFacts;
}

/** Loads the facts of a send. */
export async function gatherSend(ctx: Context, caller: Caller, request: SendMessageRequest): Promise<GatheredSend> {
  const to = destinationOf(request);
  const content = normalizeContent(request.content);
  const references = findReferences(content);
  return { to, content, references, facts: await gatherSendFacts(ctx, caller, request, to, references) };
}

/** The message to store; throws if it is not permitted. */
export async function prepareMessage(
  ctx: Context,
  caller: Caller,
  request: SendMessageRequest,
  { to, content, references, facts }: GatheredSend,
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

function draftOf(
  request: SendMessageRequest,
  facts: RequiredSendFacts,
  place: AllowedDestination,
  content: string,
): Draft {
  const { clientName, isReadBySender, queueId, localId } = request;
  const readByIds = isReadBySender ? [facts.sender.id] : [];
  return { facts, place, content, clientName, readByIds, queueId, localId };
}

/** Prepares a send for later without sending it; throws the errors of sending. */
export async function checkMessage(
  ctx: Context,
  caller: Caller,
  { message, keepsUploadsUntilMs }: CheckMessageRequest,
): Promise<CheckedMessage> {
  const request = message as SendMessageRequest;
  const gathered = await gatherSend(ctx, caller, request);
  const { sent, attachmentIds = [] } = await prepareMessage(ctx, caller, request, gathered);
  if (attachmentIds.length > 0) {
    await extendUploadRetention(ctx.db, caller.realmId, attachmentIds, keepsUploadsUntilMs + UNUSED_LIFETIME_MS);
  }
  const { content, renderedContent, channelId, topic, participants } = sent.message;
  return {
    content,
    renderedContent,
    ...(channelId !== undefined && { channelId }),
    topic,
    participantIds: participants.map(({ id }) => id),
  };
}

/** Throws if the send is not permitted. The order of these checks is visible to clients with several errors. */
function decidePlace(
  request: SendMessageRequest,
  to: Destination,
  { realm, sender, ...facts }: RequiredSendFacts,
  hasEarlier: boolean,
): AllowedDestination {
  if (to.kind === 'direct') {
    const { recipients } = facts;
    checkRecipients(to, recipients);
    checkContent(request.content);
    checkDirectPermission({ sender, recipients, rights: facts.direct as DirectSendFacts, hasEarlier });
    return { kind: 'direct', participants: participantsOf(recipients, sender) };
  }
  checkContent(request.content);
  const channel = accessChannel(to, facts.channel, request.isAnswer);
  checkNewTopic(facts.channel?.mayCreateTopics === true, hasEarlier);
  checkTopicsPolicy(to.topic, channel.topicsPolicy, realm.topicsPolicy);
  return { kind: 'channel', channel, topic: to.topic };
}

/** SPEC-GAP: no limit is documented; a mention of the topic includes at most this number of participants. */
const MAX_PARTICIPANTS = 10_000;

/**
 * Throws if the sender may not mention all those that the message mentions; returns the users mentioned by a topic wildcard, null
 * if there is none.
 */
export async function checkMentions(
  ctx: Context,
  facts: RequiredSendFacts,
  place: AllowedDestination,
  rendered: Rendered,
): Promise<number[] | null> {
  const { mentionsChannel, mentionsTopic, mentionedGroupIds } = rendered;
  const { mayMentionMany, mentionedGroups } = facts;
  const participantIds = mentionsTopic && place.kind === 'channel' ? await gatherParticipants(ctx, facts, place) : null;
  if (place.kind === 'channel') {
    const counts = { subscriberCount: place.channel.subscriberCount, participantCount: participantIds?.length ?? 0 };
    checkWildcards({ mentionsChannel, mentionsTopic, mayMentionMany, ...counts });
  }
  checkGroupMentions(mentionedGroupIds, mentionedGroups);
  return participantIds;
}

/** The topic's participants; only as many as needed to refuse a sender who may not mention many. */
function gatherParticipants(
  { db }: Context,
  { realm, sender, mayMentionMany }: RequiredSendFacts,
  { channel, topic }: Extract<AllowedDestination, { kind: 'channel' }>,
): Promise<number[]> {
  const name = { realmId: realm.id, channelId: channel.id, nameKey: topicKey(topic) };
  return listParticipants(db, name, sender.id, mayMentionMany ? MAX_PARTICIPANTS : MANY + 1);
}

type Mentioned = Pick<RequiredSendFacts, 'sender' | 'mentionedUsers' | 'mentionedGroups'>;

/**
 * The webhook call caused by a new message; null: none. Messages of bots cause none, otherwise bots could answer each other
 * forever.
 */
export function webhookCallOf(
  { sender, mentionedUsers, mentionedGroups }: Mentioned,
  place: AllowedDestination,
  { mentionedUserIds, mentionedGroupIds }: Pick<Rendered, 'mentionedUserIds' | 'mentionedGroupIds'>,
): WebhookCall | null {
  if (sender.isBot) return null;
  const isDirect = place.kind === 'direct';
  const named = isDirect ? place.participants : mentionedUsers.filter(({ id }) => mentionedUserIds.includes(id));
  const groups = isDirect ? [] : mentionedGroups.filter(({ id }) => mentionedGroupIds.includes(id));
  const botIds = named.filter(isWebhookBot).map(({ id }) => id);
  const groupMemberIds = [...new Set(groups.flatMap(({ memberIds }) => memberIds))];
  return botIds.length === 0 && groupMemberIds.length === 0 ? null : { botIds, groupMemberIds };
}

function isWebhookBot({ isBot, botType, isActive }: User): boolean {
  return isBot && botType === BOT_TYPES.outgoingWebhook && isActive;
}
