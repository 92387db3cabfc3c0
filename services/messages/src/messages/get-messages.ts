import type { GetMessagesRequest, GetMessagesResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { isMatch } from '../narrows/filter';
import { resolveNarrow } from '../narrows/resolve-narrow';
import { checkRange, fixedAnchor, NEWEST, OLDEST } from './anchor';
import { findMessages, type Search } from './find-messages';
import { loadReader } from './load-reader';
import { loadMessages, type MessageRow } from './message.sql';
import { hasReceived, mayRead } from './permissions';
import { presentMessages } from './present-messages';

/** The messages around an anchor, or those with the given ids, that the caller may read and the narrow leaves; by id. */
export async function getMessages(
  ctx: Context,
  caller: Caller,
  request: GetMessagesRequest,
): Promise<GetMessagesResponse> {
  checkRange(request);
  const reader = await loadReader(ctx, caller);
  const filter = await resolveNarrow(ctx, caller, request.narrow, reader);
  const search: Search = { reader, filter, isUnreadOnly: false };
  const isByIds = request.anchor === undefined && request.anchorKind === undefined;
  const found = isByIds ? byIds(request.messageIds) : await findAround(ctx, caller, request, search);
  const rows = await loadMessages(ctx.db, caller.realmId, found.ids, caller.userId);
  const messages = await presentMessages(ctx, caller, hide(rows, search), reader);
  return { messages, ...found.range };
}

interface Found {
  ids: number[];
  range: Omit<GetMessagesResponse, 'messages'>;
}

function byIds(ids: number[]): Found {
  return { ids, range: { foundAnchor: false, foundOldest: false, foundNewest: false } };
}

async function findAround(ctx: Context, caller: Caller, request: GetMessagesRequest, search: Search): Promise<Found> {
  const { numBefore, numAfter, includeAnchor } = request;
  const { realmId } = caller;
  const anchor = fixedAnchor(request) ?? (await findFirstUnread(ctx, realmId, request, search));
  const [isOldest, isNewest] = [anchor === OLDEST, anchor === NEWEST];
  // The anchor itself, if it is to be found, is the first one of the before part.
  const before = isOldest ? 0 : numBefore + Number(includeAnchor);
  const fromId = includeAnchor ? anchor : anchor - 1;
  const [older, newer] = await Promise.all([
    findMessages(ctx, search, { realmId, direction: 'before', fromId, limit: before }),
    findMessages(ctx, search, { realmId, direction: 'after', fromId: anchor + 1, limit: isNewest ? 0 : numAfter }),
  ]);
  const foundAnchor = includeAnchor && older[0] === anchor;
  const olderThanAnchor = older.slice(Number(foundAnchor)).slice(0, numBefore);
  return {
    ids: [...(foundAnchor ? [anchor] : []), ...olderThanAnchor, ...newer],
    range: {
      anchor,
      foundAnchor,
      foundOldest: isOldest || olderThanAnchor.length < numBefore,
      foundNewest: isNewest || newer.length < numAfter,
    },
  };
}

/** The oldest unread message, or the newest end when there is none. Muted channels count only for who asks for a channel. */
async function findFirstUnread(ctx: Context, realmId: number, { narrow }: GetMessagesRequest, search: Search) {
  const { reader, filter } = search;
  const muted = [...reader.channels.values()].filter(({ isMuted }) => isMuted).map(({ channelId }) => channelId);
  const namesChannel = narrow.some(({ operator, isNegated }) => operator === 'channel' && !isNegated);
  const excludedChannelIds = namesChannel ? filter.excludedChannelIds : [...filter.excludedChannelIds, ...muted];
  const unread: Search = {
    reader,
    filter: { ...filter, excludedChannelIds, isHistoryIncluded: false },
    isUnreadOnly: true,
  };
  const [firstUnread = NEWEST] = await findMessages(ctx, unread, {
    realmId,
    direction: 'after',
    fromId: OLDEST,
    limit: 1,
  });
  return firstUnread;
}

/** Asks again of what was loaded: it may have changed since it was found, and ids named by the client were not searched for. */
function hide(rows: readonly MessageRow[], { reader, filter }: Search): MessageRow[] {
  return rows.filter((row) => isMatch(row, filter) && (hasReceived(row, reader) || mayRead(row, reader)));
}
