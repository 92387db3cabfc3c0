import { BadRequestError } from '@parley/shared/errors';
import type { Digest, DigestConversation, GetDigestRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadNarrowReader } from '../access/load-reader';
import { maySee, type Reader } from '../access/permissions';
import type { Context } from '../context';
import { findIdAtTime } from '../messages/id-at-time.sql';
import { presentMessages } from '../messages/present-messages';
import { loadShownMessages } from '../messages/shown-message.sql';
import { loadMutedTopics } from '../read-state/muted-topics';
import { findNewestUnread } from '../search/find-nearest-unread';
import { loadConversations, type UnreadPlace } from '../search/find-unread.sql';
import { MAX_UNREAD } from './mark-as-read';

const MAX_CONVERSATIONS = 20;
const MAX_MESSAGES_EACH = 10;

/** What the reader has missed since a time: how much, and the newest messages of the busiest conversations. */
export async function getDigest(ctx: Context, caller: Caller, request: GetDigestRequest): Promise<Digest> {
  const { sinceMs, conversations, messagesEach } = request;
  if (
    conversations > MAX_CONVERSATIONS ||
    messagesEach > MAX_MESSAGES_EACH ||
    Math.min(conversations, messagesEach) < 1
  )
    throw new BadRequestError('Too many messages for a digest');
  const reader = await loadNarrowReader(ctx, caller, []);
  const places = await findMissed(ctx, reader, sinceMs);
  const busiest = places.toSorted(byBusyness).slice(0, conversations);
  return {
    messageCount: places.reduce((count, { messageIds }) => count + messageIds.length, 0),
    conversationCount: places.length,
    conversations: await present(ctx, caller, reader, { busiest, messagesEach }),
  };
}

/** The unread messages since a time by conversation, without those in muted topics. */
async function findMissed({ db }: Context, reader: Reader, sinceMs: number): Promise<UnreadPlace[]> {
  const fromId = await findIdAtTime(db, reader.realm.id, sinceMs);
  if (fromId === null) return [];
  const found = await findNewestUnread(db, reader, { limit: MAX_UNREAD, fromId });
  // Readers with very many are searched in windows that reach further back.
  const places = found.places.flatMap((place) => {
    const messageIds = place.messageIds.filter((id) => id >= fromId);
    return messageIds.length === 0 ? [] : [{ ...place, messageIds }];
  });
  const [conversations, isMuted] = await Promise.all([
    loadConversations(db, reader.realm.id, places),
    loadMutedTopics(db, reader),
  ]);
  const mutedIds = new Set(
    conversations.flatMap(({ id, channelId, topic }) =>
      channelId !== null && topic !== null && isMuted(channelId, topic) ? [id] : [],
    ),
  );
  return places.filter(({ conversationId }) => !mutedIds.has(conversationId));
}

/** Most messages first; of equals the one with the newest message. */
function byBusyness(a: UnreadPlace, b: UnreadPlace): number {
  return b.messageIds.length - a.messageIds.length || Number(b.messageIds.at(-1)) - Number(a.messageIds.at(-1));
}

async function present(
  ctx: Context,
  caller: Caller,
  reader: Reader,
  { busiest, messagesEach }: { busiest: readonly UnreadPlace[]; messagesEach: number },
): Promise<DigestConversation[]> {
  const newestOf = ({ messageIds }: UnreadPlace) => messageIds.slice(-messagesEach);
  const ids = busiest.flatMap(newestOf).sort((a, b) => a - b);
  const rows = ids.length === 0 ? [] : await loadShownMessages(ctx.db, reader.realm.id, ids, reader.userId);
  // Checked again: a message may have moved since it was found.
  const visible = rows.filter((row) => maySee(row, reader));
  const messages = await presentMessages(ctx, caller, visible, reader);
  return busiest.flatMap((place) => {
    const shown = messages.filter(({ id }) => newestOf(place).includes(id));
    return shown.length === 0 ? [] : [{ messageCount: place.messageIds.length, messages: shown }];
  });
}
