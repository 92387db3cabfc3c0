import type { GetMessageStateRequest, MessageState } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { listRecentDirects } from '../conversations/recent-directs.sql';
import { isStarred } from '../narrows/conditions.sql';
import { EVERYTHING } from '../narrows/narrow';
import { listShownStars } from '../read-state/personal-flags.sql';
import { loadUnreadState } from '../read-state/unread-state';
import { findMessages } from './find-messages';
import type { Reading } from './get-client-state';
import { loadNarrowReader } from './load-narrow-reader';
import type { Reader } from './permissions';

const MAX_STARRED = 10_000;

export async function getMessageState(
  ctx: Reading,
  caller: Caller,
  request: GetMessageStateRequest,
): Promise<MessageState> {
  return (await readMessageState(ctx, caller, await loadNarrowReader(ctx, caller, []), request)).state;
}

export interface ReadMessageState {
  state: MessageState;
  /** Access has changed, and which stars are shown has not followed yet. */
  isBehind: boolean;
}

/** The messages' part of what a client begins with, for a reader of everything (loadNarrowReader). */
export async function readMessageState(
  ctx: Reading,
  caller: Caller,
  reader: Reader,
  { includesUnread, includesStarred, includesRecentDirects }: GetMessageStateRequest,
): Promise<ReadMessageState> {
  const search = { reader, narrow: EVERYTHING };
  const newest = { realmId: caller.realmId, direction: 'before', fromId: Number.MAX_SAFE_INTEGER, limit: 1 } as const;
  const [[maxMessageId = -1], unread, starredIds, readableIds, recentDirects] = await Promise.all([
    findMessages(ctx, search, newest),
    includesUnread ? loadUnreadState(ctx.db, reader) : undefined,
    includesStarred ? listShownStars(ctx.db, caller.realmId, caller.userId, MAX_STARRED) : [],
    includesStarred ? findStarred(ctx, reader) : [],
    includesRecentDirects ? listRecentDirects(ctx.db, caller.realmId, caller.userId) : [],
  ]);
  return {
    state: { maxMessageId, starredIds, recentDirects, ...(unread && { unread }) },
    isBehind: starredIds.length !== readableIds.length || starredIds.some((id, index) => id !== readableIds[index]),
  };
}

/** What the narrow is:starred leaves: stars of messages that are not readable now are kept, and hidden. */
function findStarred(ctx: Reading, reader: Reader): Promise<number[]> {
  const narrow = {
    ...EVERYTHING,
    conditions: [isStarred(reader.userId)],
    lead: { routes: [{ kind: 'starred' as const }], isPersonal: true },
  };
  const all = { realmId: reader.realm.id, direction: 'after', fromId: 0, limit: MAX_STARRED } as const;
  return findMessages(ctx, { reader, narrow }, all);
}
