import type { GetMessagesRequest, GetMessagesResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { compileNarrow } from '../narrows/compile-narrow';
import type { Narrow } from '../narrows/narrow';
import { highlightMatches } from '../search/highlight-matches';
import { checkRange } from './anchor';
import { type Found, findAround } from './find-around';
import { findMessages } from './find-messages';
import { loadNarrowReader } from './load-narrow-reader';
import { loadReader } from './load-reader';
import { maySee, type Reader } from './permissions';
import { presentMessages } from './present-messages';
import { rangeOfLoaded } from './range-of-loaded';
import { loadShownMessages } from './shown-message.sql';

/** The messages around an anchor, or those with the given ids, that the caller may read and the narrow leaves; by id. */
export async function getMessages(
  ctx: Context,
  caller: Caller,
  request: GetMessagesRequest,
): Promise<GetMessagesResponse> {
  checkRange(request);
  const isByIds = request.anchor === undefined && request.anchorKind === undefined;
  const reader = await (isByIds ? loadReader(ctx, caller) : loadNarrowReader(ctx, caller, request.narrow));
  const narrow = await compileNarrow(ctx, caller, request.narrow, reader);
  const found = isByIds
    ? await findNamed(ctx, request.messageIds, reader, narrow)
    : await findAround(ctx, request, { reader, narrow });
  const rows = await loadShownMessages(ctx.db, caller.realmId, found.ids, caller.userId, narrow.search !== null);
  const range = rangeOfLoaded(found, rows);
  // Asked again of what was loaded: it may have moved since it was found, and what was named was not looked for.
  const visible = rows.filter((row) => maySee(row, reader));
  const [messages, matches] = await Promise.all([
    presentMessages(ctx, caller, visible, reader),
    narrow.search ? highlightMatches(ctx, caller, visible, narrow.search) : [],
  ]);
  return { messages: messages.map((message, index) => ({ ...message, ...matches[index] })), ...range };
}

/** Whatever the reader may see of what they name, received or not. */
async function findNamed(ctx: Context, messageIds: number[], reader: Reader, narrow: Narrow): Promise<Found> {
  const isMeant = (id: number) => narrow.messageIds?.includes(id) ?? true;
  const named: Narrow = { ...narrow, scope: { kind: 'named' }, messageIds: messageIds.filter(isMeant) };
  const range = { realmId: reader.realm.id, direction: 'after', fromId: 0, limit: messageIds.length } as const;
  const ids = await findMessages(ctx, { reader, narrow: named }, range);
  return { ids, range: { foundAnchor: false, foundOldest: false, foundNewest: false } };
}
