import { announceEphemeral } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { type Audience, type ReportedUser, type TypingReported, typingReported } from '@parley/shared/events';
import type { ReportTypingRequest, ReportTypingResponse, TypingInTopic, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { topicFromInput, userSettingsOf } from '@parley/shared/values';
import type { Context } from '../context';
import type { Facts } from '../messages/compose-message';
import { MAX_RECIPIENTS, participantsOf } from '../messages/destination';
import { accessTypedChannel, checkTellsTyping, checkTypingRecipients } from './permissions';
import { typingAudience } from './typing-audience';

/** Where the message is to go, and everybody who would get it. */
interface Target {
  to: TypingReported['to'];
  audience: Exclude<Audience, { to: 'realm' }>;
}

/** Tells those who would get the message that somebody writes it, or no longer does; nothing is stored. */
export async function reportTyping(
  ctx: Context,
  caller: Caller,
  { isTyping, inTopic, recipientIds }: ReportTypingRequest,
): Promise<ReportTypingResponse> {
  checkRecipientCount(inTopic, recipientIds);
  const facts = await gatherFacts(ctx, caller, inTopic, recipientIds);
  checkTellsTyping(userSettingsOf(facts.senderSettings), !inTopic);
  const { to, audience: everybody } = inTopic ? inChannel(inTopic, facts) : amongPeople(recipientIds, facts);
  const audience = await typingAudience(ctx, caller, everybody);
  if (audience === null) return {};
  const report = { isTyping, sender: reported(facts.sender), to, audience };
  await announceEphemeral(ctx, 'messages', typingReported(caller.realmId, report));
  return {};
}

function checkRecipientCount(inTopic: TypingInTopic | null | undefined, recipientIds: readonly number[]): void {
  if (inTopic) return;
  if (recipientIds.length === 0) throw new BadRequestError("Empty 'to' list");
  if (recipientIds.length > MAX_RECIPIENTS) {
    throw new BadRequestError(`Too many recipients (maximum ${MAX_RECIPIENTS}).`);
  }
}

/** What a send would depend on, without content. */
async function gatherFacts(
  ctx: Context,
  { realmId, userId }: Caller,
  inTopic: TypingInTopic | null | undefined,
  recipientIds: number[],
): Promise<Facts> {
  const facts = await ctx.getSendFacts({
    realmId,
    senderId: userId,
    ...(inTopic ? { channelId: inTopic.channelId, recipientIds: [] } : { recipientIds }),
    recipientEmails: [],
    mentionedNames: [],
    mentionedGroupNames: [],
    linkedChannelNames: [],
    emojiNames: [],
  });
  if (!facts.realm || !facts.sender) throw new Error(`realm does not know the sender ${userId}`);
  return facts as Facts;
}

function inChannel({ channelId, topic }: TypingInTopic, facts: Facts): Target {
  const { subscriptionVersion: version } = accessTypedChannel(channelId, facts.channel);
  return {
    to: { channelId, topic: topicFromInput(topic) },
    audience: { to: 'subscribers', channelId, version, isPublic: false },
  };
}

function amongPeople(recipientIds: readonly number[], facts: Facts): Target {
  checkTypingRecipients(recipientIds, facts);
  const participants = participantsOf(facts.recipients, facts.sender);
  const active = participants.filter(({ isActive }) => isActive);
  return {
    to: { recipients: participants.map(reported) },
    audience: { to: 'users', userIds: active.map(({ id }) => id) },
  };
}

function reported({ id, email }: User): ReportedUser {
  return { id, email };
}
