import { announce } from '@parley/shared/bus';
import { ChangedMeanwhile, repeatOnConflict, type Sql } from '@parley/shared/db';
import { checkEmoji, emojiMeant, emojiNamed, type NamedEmoji, UNICODE_EMOJI } from '@parley/shared/emoji';
import { BadRequestError, ReactionAlreadyExistsError, ReactionDoesNotExistError } from '@parley/shared/errors';
import { type DomainEvent, reactionAdded, reactionRemoved } from '@parley/shared/events';
import type {
  AddReactionRequest,
  AddReactionResponse,
  CustomEmoji,
  Reaction,
  RemoveReactionRequest,
  RemoveReactionResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { userSettingsOf } from '@parley/shared/values';
import { channelsOf } from '../access/load-reader';
import { hasReceived } from '../access/permissions';
import type { Context } from '../context';
import { type AccessedMessage, audienceOf, checkAddable, invalidMessage } from '../messages/access-message';
import { mayFollowByTakingPart, participate } from '../topic-policies/change-topic-policy';
import { deleteReaction, insertReaction, loadReactedMessage, type ReactedMessageRow } from './reactions.sql';

/** Reacts to a message. Reacting with an existing emoji joins it, whatever name the user has for it. */
export function addReaction(ctx: Context, caller: Caller, request: AddReactionRequest): Promise<AddReactionResponse> {
  return repeatOnConflict(caller.realmId, () => tryToAdd(ctx, caller, request));
}

async function tryToAdd(ctx: Context, caller: Caller, request: AddReactionRequest): Promise<AddReactionResponse> {
  const { accessed, customEmoji } = await accessReacted(ctx, caller, request);
  const emoji = decideEmoji(request, customEmoji, accessed.message.reactions, caller.userId);
  if (!mayFollowByTakingPart(accessed)) {
    await store(ctx.db, accessed, emoji);
    ctx.db.onAnnounced();
    return {};
  }
  await ctx.db.transaction(async (tx) => {
    await store(tx, accessed, emoji);
    tx.hasAnnounced = true;
    await announce(tx, ...(await participate(tx, accessed, ctx.clock.now())));
  });
  return {};
}

interface AccessedReacted {
  accessed: AccessedMessage<ReactedMessageRow>;
  /** The emoji of the requested name or code. */
  customEmoji: readonly CustomEmoji[];
}

/** The message, when the caller may react to it; one call of realm. */
async function accessReacted(
  { db, services }: Context,
  caller: Caller,
  { messageId, emojiName, emojiCode }: AddReactionRequest | RemoveReactionRequest,
): Promise<AccessedReacted> {
  const { realmId, userId } = caller;
  const message = await loadReactedMessage(db, realmId, messageId, userId);
  if (!message) throw invalidMessage();
  const { channelId, holderIds } = message;
  const { user, channels, customEmoji, outsideReaders } = await services.realm.getMarkFacts(caller, {
    channelIds: channelsOf([message]).ids,
    reaction: {
      ...(emojiName !== undefined && { emojiName }),
      ...(emojiCode !== undefined && { emojiCode }),
      ...(channelId !== null && { channelId }),
      holderIds,
    },
  });
  if (!user) throw new Error(`realm does not know the user ${userId}`);
  const byId = new Map(channels.map((channel) => [channel.channelId, channel]));
  const reader = { userId, realm: { id: realmId }, channels: byId };
  checkAddable(message, reader);
  const outsiders = { queriedIds: new Set(holderIds), readers: outsideReaders };
  return { accessed: { message, reader, user, settings: userSettingsOf(user.settings), outsiders }, customEmoji };
}

/** Throws unless the emoji exists, and the user has not reacted with it yet. */
function decideEmoji(
  request: AddReactionRequest,
  customEmoji: readonly CustomEmoji[],
  earlier: readonly Reaction[],
  userId: number,
): NamedEmoji {
  const meant = emojiMeant(request, customEmoji);
  const same = earlier.filter((one) => one.emojiCode === meant.emojiCode && one.reactionType === meant.reactionType);
  if (same.some((one) => one.userId === userId)) throw new ReactionAlreadyExistsError();
  const [first] = same;
  if (first) return { ...meant, emojiName: first.emojiName };
  checkEmoji(meant, customEmoji);
  return meant;
}

/** One statement, with its announcement. */
async function store(sql: Sql, accessed: AccessedMessage, emoji: NamedEmoji): Promise<void> {
  const { message, reader } = accessed;
  const reaction = { ...emoji, userId: reader.userId };
  const isHistorical = !hasReceived(message, reader);
  const row = { ...reaction, realmId: reader.realm.id, message };
  const { isHeld, isChanged } = await insertReaction(sql, row, isHistorical, eventOf(accessed, reaction));
  if (!isHeld) throw new ChangedMeanwhile();
  if (!isChanged) throw new ReactionAlreadyExistsError();
}

function eventOf(accessed: AccessedMessage, reaction: Reaction): DomainEvent {
  const { message, reader, user } = accessed;
  const { id, email, fullName } = user;
  const audience = audienceOf(accessed);
  return reactionAdded(reader.realm.id, { messageId: message.id, reaction, user: { id, email, fullName }, audience });
}

/** Removes the caller's reaction. */
export function removeReaction(
  ctx: Context,
  caller: Caller,
  request: RemoveReactionRequest,
): Promise<RemoveReactionResponse> {
  return repeatOnConflict(caller.realmId, () => tryToRemove(ctx, caller, request));
}

async function tryToRemove(
  ctx: Context,
  caller: Caller,
  request: RemoveReactionRequest,
): Promise<RemoveReactionResponse> {
  const { messageId, reactionType = UNICODE_EMOJI } = request;
  const { realmId, userId } = caller;
  const { accessed, customEmoji } = await accessReacted(ctx, caller, request);
  const own = accessed.message.reactions.filter((one) => one.userId === userId && one.reactionType === reactionType);
  const emojiCode = request.emojiCode ?? findCode(own, request.emojiName, customEmoji);
  const reaction = own.find((one) => one.emojiCode === emojiCode);
  if (!reaction) throw new ReactionDoesNotExistError();
  const { id, email, fullName } = accessed.user;
  const event = { messageId, reaction, user: { id, email, fullName }, audience: audienceOf(accessed) };
  const row = { ...reaction, realmId, message: accessed.message };
  const { isHeld, isChanged } = await deleteReaction(ctx.db, row, reactionRemoved(realmId, event));
  if (!isHeld) throw new ChangedMeanwhile();
  if (!isChanged) throw new ReactionDoesNotExistError();
  ctx.db.onAnnounced();
  return {};
}

function findCode(own: readonly Reaction[], name: string | undefined, customEmoji: readonly CustomEmoji[]): string {
  if (name === undefined) {
    throw new BadRequestError('At least one of the following arguments must be present: emoji_name, emoji_code');
  }
  // A name may have meant another emoji when its author reacted.
  const named = own.find(({ emojiName }) => emojiName === name);
  return named ? named.emojiCode : emojiNamed(name, customEmoji).emojiCode;
}
