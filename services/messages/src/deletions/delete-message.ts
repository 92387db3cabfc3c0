import { announce } from '@parley/shared/bus';
import { repeatOnConflict } from '@parley/shared/db';
import { BadRequestError, UnauthorizedPrincipalError } from '@parley/shared/errors';
import { actPerformed } from '@parley/shared/events';
import type {
  Channel,
  DeleteMessageRequest,
  DeleteMessageResponse,
  DeleteTopicRequest,
  DeleteTopicResponse,
} from '@parley/shared/proto';
import { type Caller, OPERATOR_ADDRESS, timeLeftMs } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { EMPTY_TOPIC_DISPLAY_NAME, findForbiddenCharacter, isAdministrator, topicKey } from '@parley/shared/values';
import { channelsOf as scopeOf } from '../access/load-reader';
import { mayRead } from '../access/permissions';
import type { Context } from '../context';
import {
  checkAccess,
  type DeletionFacts,
  findMessage,
  invalidMessage,
  loadDeletionFacts,
} from '../messages/edit-facts';
import type { MessageRow } from '../messages/message.sql';
import { deleteMessages, loadChannelsOfDeletion, withOutsidersOfDeletion } from './delete-messages';
import { listNewestOfTopic } from './deletion.sql';
import { checkDeletion } from './permissions';

/** Deletes one message. */
export function deleteMessage(
  ctx: Context,
  caller: Caller,
  { messageId }: DeleteMessageRequest,
): Promise<DeleteMessageResponse> {
  if (caller.clientAddress === OPERATOR_ADDRESS) return deleteAsOperator(ctx, caller, { messageId });
  return repeatOnConflict(caller.realmId, async () => {
    const message = await findMessage(ctx, caller, messageId);
    const facts = await loadDeletionFacts(ctx, caller, {
      channelIds: message.channelId === null ? [] : [message.channelId],
      readChannels: scopeOf([message]),
      authorId: message.senderId,
    });
    checkAccess(message, facts);
    checkRight(caller, message, facts, ctx.clock.now());
    const { realmId, userId } = caller;
    const given = { realmId, messageIds: [messageId], channels: channelsOf(facts), actorIds: [userId] };
    const deletion = await withOutsidersOfDeletion(ctx, { ...given, nowMs: ctx.clock.now() });
    const deleted = await ctx.db.transaction((tx) => deleteMessages(tx, deletion));
    if (deleted.length === 0) throw new BadRequestError(REFUSAL.messages.deletedAlready);
    return {};
  });
}

function checkRight(caller: Caller, message: MessageRow, facts: DeletionFacts, nowMs: number): void {
  const { senderId, sentAtMs, channelId } = message;
  checkDeletion({
    actorId: caller.userId,
    senderId,
    senderOwnerId: facts.authorOwnerId,
    sentAtMs,
    realm: facts.permissions,
    channel: new Set(channelId === null ? [] : facts.channels.get(channelId)?.permissions),
    limitSecs: facts.settings.message_content_delete_limit_seconds,
    nowMs,
  });
}

function channelsOf({ channels }: DeletionFacts): Map<number, Channel> {
  return new Map([...channels].flatMap(([id, { channel }]) => (channel ? [[id, channel]] : [])));
}

/** Deletes any message, for the operator's command; recorded as an act of the operator. */
function deleteAsOperator(
  ctx: Context,
  caller: Caller,
  { messageId }: DeleteMessageRequest,
): Promise<DeleteMessageResponse> {
  const { realmId, userId, requestId } = caller;
  return repeatOnConflict(realmId, async () => {
    const message = await findMessage(ctx, caller, messageId);
    const { channelId, senderId } = message;
    const channels = await loadChannelsOfDeletion(ctx, realmId, [message]);
    const given = { realmId, messageIds: [messageId], channels, actorIds: [], nowMs: ctx.clock.now() };
    const deletion = await withOutsidersOfDeletion(ctx, given);
    const deed = { name: 'delete-message', actor: { kind: 'operator' as const, id: userId }, requestId };
    const before = { sender: senderId, ...(channelId !== null && { channel: channelId }) };
    await ctx.db.transaction(async (tx) => {
      if ((await deleteMessages(tx, deletion)).length === 0) throw invalidMessage();
      await announce(tx, actPerformed(realmId, { ...deed, kind: 'message', ids: [messageId], before }));
    });
    return {};
  });
}

const BATCH_SIZE = 100;
/** Of the request's time, for the batch that is under way, and the answer. */
const RESERVE_MS = 5_000;

/** Deletes the messages of a topic that an administrator can read, newest first, within the time of the request, at least one batch. */
export async function deleteTopic(
  ctx: Context,
  caller: Caller,
  { channelId, topic }: DeleteTopicRequest,
): Promise<DeleteTopicResponse> {
  const facts = await loadDeletionFacts(ctx, caller, { channelIds: [channelId] });
  requireMayDeleteTopic(facts, channelId);
  const name = topic.trim();
  if (findForbiddenCharacter(name) !== null) return { isComplete: true };
  const key = topicKey(name === EMPTY_TOPIC_DISPLAY_NAME ? '' : name);
  let belowId: number | null = Number.MAX_SAFE_INTEGER;
  do {
    belowId = await deleteBatch(ctx, caller, facts, { channelId, key }, belowId);
  } while (belowId !== null && timeLeftMs(caller) > RESERVE_MS);
  return { isComplete: belowId === null };
}

function requireMayDeleteTopic({ actor, reader, channels }: DeletionFacts, channelId: number): void {
  if (!isAdministrator(actor.role)) throw new UnauthorizedPrincipalError(REFUSAL.people.adminsOnly);
  const channel = reader.channels.get(channelId);
  const isAccessible = channel?.hasContentAccess === true && !channel.isArchived && channels.has(channelId);
  if (!isAccessible) throw new BadRequestError('Invalid channel ID');
}

/** Returns the id below which to continue; null at the end. */
async function deleteBatch(
  ctx: Context,
  caller: Caller,
  facts: DeletionFacts,
  topic: { channelId: number; key: string },
  belowId: number,
): Promise<number | null> {
  const { realmId, userId } = caller;
  const newest = await listNewestOfTopic(ctx.db, realmId, topic, belowId, BATCH_SIZE);
  const messageIds = newest.filter((message) => mayRead(message, facts.reader)).map(({ id }) => id);
  const deletion = { realmId, messageIds, channels: channelsOf(facts), actorIds: [userId], nowMs: ctx.clock.now() };
  if (messageIds.length > 0) {
    await repeatOnConflict(realmId, async () => {
      const complete = await withOutsidersOfDeletion(ctx, deletion);
      return ctx.db.transaction((tx) => deleteMessages(tx, complete));
    });
  }
  return newest.length < BATCH_SIZE ? null : (newest.at(-1)?.id ?? null);
}
