import { announceEphemeral } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import {
  type Audience,
  type EditTypingReported,
  editTypingReported,
  type ReportedUser,
  type TypingReported,
  typingReported,
} from '@parley/shared/events';
import type {
  ReportEditTypingRequest,
  ReportEditTypingResponse,
  ReportTypingRequest,
  ReportTypingResponse,
  SendFacts,
  TypingAudience,
  TypingInTopic,
  User,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { MAX_TYPING_AUDIENCE, realmSettingsOf, topicFromInput, userSettingsOf } from '@parley/shared/values';
import { MAX_RECIPIENTS, participantsOf } from '../access/destination';
import type { Reader } from '../access/permissions';
import type { Context } from '../context';
import { checkContentEdit } from '../edits/permissions';
import { type AccessedMessage, accessMessage, audienceOf } from '../messages/access-message';
import type { MessageRow, MessageRowWithHolders } from '../messages/message.sql';
import { accessTypedChannel, checkTellsTyping, checkTypingRecipients } from './permissions';

/** The destination, and all users who would receive the message. */
interface Target {
  to: TypingReported['to'];
  audience: Exclude<Audience, { to: 'realm' }>;
}

/** Notifies the recipients that a user starts or stops typing; stores nothing. */
export async function reportTyping(
  ctx: Context,
  caller: Caller,
  { isTyping, inTopic, recipientIds }: ReportTypingRequest,
): Promise<ReportTypingResponse> {
  checkRecipientCount(inTopic, recipientIds);
  const facts = await gatherFacts(ctx, caller, inTopic, recipientIds);
  checkTellsTyping(userSettingsOf(facts.senderSettings), !inTopic);
  const { to, audience: everybody } = inTopic ? inChannel(inTopic, facts) : amongPeople(recipientIds, facts);
  // COMPAT: replicas of realm of the previous version answer this in a separate call only.
  const audience = facts.typingAudience
    ? willingOf(everybody, facts.typingAudience)
    : await typingAudience(ctx, caller, everybody);
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

/** Realm's facts about the destination, and the users to notify. The organization does not matter. */
type TypingFacts = SendFacts & { sender: User };

async function gatherFacts(
  ctx: Context,
  caller: Caller,
  inTopic: TypingInTopic | null | undefined,
  recipientIds: number[],
): Promise<TypingFacts> {
  const { realmId, userId } = caller;
  const facts = await ctx.getSendFacts(caller, {
    realmId,
    senderId: userId,
    ...(inTopic ? { channelId: inTopic.channelId, recipientIds: [] } : { recipientIds }),
    recipientEmails: [],
    mentionedNames: [],
    mentionedGroupNames: [],
    linkedChannelNames: [],
    emojiNames: [],
    tellsTyping: true,
    omitsOrganization: true,
  });
  if (!facts.sender) throw new Error(`realm does not know the sender ${userId}`);
  return facts as TypingFacts;
}

function inChannel({ channelId, topic }: TypingInTopic, facts: TypingFacts): Target {
  const { subscriptionVersion: version } = accessTypedChannel(channelId, facts.channel);
  return {
    to: { channelId, topic: topicFromInput(topic) },
    audience: { to: 'subscribers', channelId, version, isPublic: false },
  };
}

function amongPeople(recipientIds: readonly number[], facts: TypingFacts): Target {
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

/** Notifies receivers of a message that its sender starts or stops editing it; stores nothing. */
export async function reportEditTyping(
  ctx: Context,
  caller: Caller,
  { messageId, isTyping }: ReportEditTypingRequest,
): Promise<ReportEditTypingResponse> {
  const accessed = await accessMessage(ctx, caller, messageId);
  checkMayEdit(accessed, ctx.clock.now());
  const audience = await typingAudience(ctx, caller, audienceOf(accessed));
  if (audience === null) return {};
  const report = { isTyping, senderId: caller.userId, messageId, place: placeOf(accessed.message), audience };
  await announceEphemeral(ctx, 'messages', editTypingReported(caller.realmId, report));
  return {};
}

/** Unlike for the edit itself, there is no tolerance in the time limit. */
function checkMayEdit(
  { message, reader, settings }: AccessedMessage<MessageRowWithHolders, Reader>,
  nowMs: number,
): void {
  checkContentEdit(message, realmSettingsOf(reader.realm), { actorId: reader.userId, nowMs }, 0);
  checkTellsTyping(settings, message.channelId === null);
}

function placeOf({ channelId, topic, participantIds }: MessageRow): EditTypingReported['place'] {
  return channelId === null ? { participantIds: participantIds ?? [] } : { channelId, topic };
}

type Reached = Exclude<Audience, { to: 'realm' }>;

/** The users of an audience who receive typing notifications; null if the audience is too large for them. */
async function typingAudience({ services }: Context, caller: Caller, audience: Reached): Promise<Audience | null> {
  const asked =
    audience.to === 'users'
      ? { userIds: [...audience.userIds] }
      : { channelId: audience.channelId, userIds: [...(audience.alsoIds ?? [])] };
  return willingOf(audience, await services.realm.getTypingAudience(caller, asked));
}

function willingOf(audience: Reached, { subscriberCount, unwillingIds }: TypingAudience): Audience | null {
  if (audience.to === 'users') {
    return { to: 'users', userIds: audience.userIds.filter((id) => !unwillingIds.includes(id)) };
  }
  if (subscriberCount > MAX_TYPING_AUDIENCE) return null;
  // A user who has left the channel keeps the message, but gets no notifications.
  return { ...audience, heldAt: [], exceptIds: [...(audience.exceptIds ?? []), ...unwillingIds] };
}
