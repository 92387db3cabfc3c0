// Notices: a change elsewhere that deserves a message announces a notice in its own transaction. The replicas of this service share the notices, in order
// (shared/bus/consume.ts), and store them like any message, with a send key made of the event's id: a redelivered notice is not stored twice.
// These keys are kept as long as the log. No permission is checked: the announcing service has decided.

import { Slices } from '@parley/shared/batch';
import { announce, type ConsumedEvent } from '@parley/shared/bus';
import { flagsChanged, type NoticeAnnounced } from '@parley/shared/events';
import { findReferences, finish, type References } from '@parley/shared/markdown';
import { newCall } from '@parley/shared/rpc';
import type { RequiredSendFacts } from '../access/destination';
import {
  type AllowedDestination,
  composeMessage,
  isInQuietChannel,
  normalizeContent,
  renderContent,
} from '../content/compose-message';
import type { NewMessage } from '../content/new-message';
import type { Context } from '../context';
import { starMessage } from '../read-state/personal-flags.sql';
import { findTopicMessages } from '../search/find-topic-messages';
import { noticeKey } from '../send-keys/key-prefixes';
import { isStoredAlone, storeBatch } from '../sending/store-messages';
import { previewFacts } from '../uploads/find-uploads';

type NoticeEvent = ConsumedEvent<NoticeAnnounced>;

/** Shown as the client that sent the message. */
const CLIENT_NAME = 'Internal';
const MAX_BATCH = 64;
/** Accounts loaded at once: decoding those of a whole organization would block the event loop. */
const MAX_RECEIVERS = 200;

/** Sends notices of the service's bots, in order; a notice that was sent before is skipped. */
export async function sendNotices(ctx: Context, events: readonly NoticeEvent[]): Promise<void> {
  for (const some of inPieces(events)) {
    await sendTogether(ctx, (await Promise.all(some.map((event) => messagesOf(ctx, event)))).flat());
  }
}

/** The events in order, in groups with few receivers; a single event may have more. */
function inPieces(events: readonly NoticeEvent[]): NoticeEvent[][] {
  const pieces: NoticeEvent[][] = [];
  let count = 0;
  for (const event of events) {
    const { to } = event.payload;
    const receivers = 'userIds' in to ? to.userIds.length : 1;
    count += receivers;
    const piece = pieces.at(-1);
    if (piece && count <= MAX_RECEIVERS) {
      piece.push(event);
    } else {
      pieces.push([event]);
      count = receivers;
    }
  }
  return pieces;
}

async function sendTogether(ctx: Context, notices: readonly NoticeMessage[]): Promise<void> {
  for (let begin = 0; begin < notices.length; begin += MAX_BATCH) {
    const batch = notices.slice(begin, begin + MAX_BATCH);
    const messageIds = await storeAll(
      ctx,
      batch.map(({ message }) => message),
    );
    await starNotices(
      ctx,
      batch.map(({ star }, index) => star && { ...star, messageId: messageIds[index] as number }),
    );
  }
}

async function storeAll(ctx: Context, batch: NewMessage[]): Promise<number[]> {
  const messageIds: number[] = [];
  if (batch.some(isStoredAlone)) {
    for (const message of batch) messageIds.push((await ctx.storeMessage(message)).messageId);
    return messageIds;
  }
  for (const result of await storeBatch(ctx.db, batch)) {
    if (result instanceof Error) throw result;
    messageIds.push(result.messageId);
  }
  return messageIds;
}

interface NoticeMessage {
  message: NewMessage;
  /** The user for whom it starts starred; null: none. */
  star: { realmId: number; userId: number } | null;
}

/** One message to a channel, or one for each recipient. Permissions are not checked: the announcing service has decided. */
async function messagesOf(ctx: Context, { id, realmId, payload }: NoticeEvent): Promise<NoticeMessage[]> {
  const { senderId, readByIds } = payload;
  const content = normalizeContent(payload.content);
  const references = findReferences(content);
  const facts = await gatherFacts(ctx, realmId, payload, references);
  const bot = { ...newCall(), realmId, userId: senderId };
  const topicMessageIds = await findTopicMessages(ctx, bot, references.topics, facts.linkedChannels);
  const rendered = finish(
    renderContent(content, facts, ctx.config.EXTERNAL_HOST, topicMessageIds, previewFacts(ctx.config, [])),
  );
  const draft = { facts, content, clientName: CLIENT_NAME, readByIds: [...readByIds] };
  const slices = new Slices(Number.POSITIVE_INFINITY);
  const messages: NoticeMessage[] = [];
  for (const { key, place, receiverId } of placesOf(payload, facts)) {
    // The recipients may be a whole organization.
    await slices.pause();
    messages.push({
      message: {
        key: noticeKey(id, key),
        sent: {
          ...composeMessage({ ...draft, place }, rendered, ctx.clock.now()),
          ...(isArchived(place) && READ_BY_ALL),
          ...(payload.isQuiet && { isQuiet: true }),
        },
        wakesChannel: isInQuietChannel(place),
      },
      star: payload.isStarred && receiverId !== null ? { realmId, userId: receiverId } : null,
    });
  }
  return messages;
}

/** Messages of an archived channel are read for everybody. */
const READ_BY_ALL = { unreadForIds: [] };

function isArchived(place: AllowedDestination): boolean {
  return place.kind === 'channel' && place.channel.isArchived;
}

async function gatherFacts(
  ctx: Context,
  realmId: number,
  { senderId, to }: NoticeAnnounced,
  { userNames, groupNames, channelNames, emojiNames }: References,
): Promise<RequiredSendFacts> {
  const facts = await ctx.getSendFacts(
    {},
    {
      realmId,
      senderId,
      ...('channelId' in to ? { channelId: to.channelId, recipientIds: [] } : { recipientIds: [...to.userIds] }),
      recipientEmails: [],
      mentionedNames: userNames,
      mentionedGroupNames: groupNames,
      linkedChannelNames: channelNames,
      emojiNames,
    },
  );
  if (!facts.realm || !facts.sender) throw new Error(`organization ${realmId} has no system bot ${senderId}`);
  return facts as RequiredSendFacts;
}

/** One message of a notice, and its distinguishing part of the send key. */
interface Destination {
  key: string;
  place: AllowedDestination;
  /** Null: those of a channel. */
  receiverId: number | null;
}

/** The destination of a notice. Users deactivated meanwhile get none. */
function placesOf({ to }: NoticeAnnounced, { sender, channel, recipients }: RequiredSendFacts): Destination[] {
  if ('channelId' in to) {
    if (!channel?.channel) throw new Error(`there is no channel ${to.channelId} to send a notice to`);
    const place: AllowedDestination = { kind: 'channel', channel: channel.channel, topic: to.topic };
    return [{ key: 'channel', place, receiverId: null }];
  }
  return recipients
    .filter(({ isActive, id }) => isActive && id !== sender.id)
    .map((recipient) => {
      const participants = [recipient, sender].sort((a, b) => a.id - b.id);
      return { key: `user ${recipient.id}`, place: { kind: 'direct', participants }, receiverId: recipient.id };
    });
}

/** A notice that is starred for its receiver. */
interface NoticeStar {
  realmId: number;
  userId: number;
  messageId: number;
}

/** Stars notices for their receivers. Idempotent. */
async function starNotices({ db }: Context, stars: readonly (NoticeStar | null)[]): Promise<void> {
  const meant = stars.filter((star) => star !== null);
  if (meant.length === 0) return;
  await db.transaction(async (tx) => {
    const starred: NoticeStar[] = [];
    for (const star of meant) {
      const { realmId, userId, messageId } = star;
      if (await starMessage(tx, realmId, userId, messageId)) starred.push(star);
    }
    const change = { op: 'add', flag: 'starred', isAll: false } as const;
    await announce(
      tx,
      ...starred.map(({ realmId, userId, messageId }) =>
        flagsChanged(realmId, { userId, ...change, messageIds: [messageId] }),
      ),
    );
  });
}
