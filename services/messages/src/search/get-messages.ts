import { writeListInSlices } from '@parley/shared/batch';
import { BadRequestError, UnauthorizedError } from '@parley/shared/errors';
import type {
  GetMessageRequest,
  GetMessagesRequest,
  GetMessagesResponse,
  MatchNarrowRequest,
  MatchNarrowResponse,
  Message,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isVisitor, LIMITS } from '@parley/shared/values';
import { foundMessage } from '@parley/shared/wire';
import { channelsOf, loadNarrowReader, loadReader, loadReaderOfNamed } from '../access/load-reader';
import { mayRead, maySee, type Reader } from '../access/permissions';
import type { Context } from '../context';
import { presentMessages } from '../messages/present-messages';
import { loadFittingMessages, loadShownMessages } from '../messages/shown-message.sql';
import { compileNarrow } from '../narrows/compile-narrow';
import type { Narrow } from '../narrows/narrow';
import { checkRange, type Found, loadAround, rangeOfLoaded, requireAllLoaded } from './find-around';
import { findMessages } from './find-messages';
import { highlightMatches, type Match } from './highlight-matches';

/** The messages around an anchor, or those with the given ids, that the caller may read and the narrow matches; by id. */
export async function getMessages(
  ctx: Context,
  caller: Caller,
  request: GetMessagesRequest,
): Promise<GetMessagesResponse> {
  checkRange(request);
  const isByIds = request.anchor === undefined && request.anchorKind === undefined;
  const reader = isByIds
    ? await loadReaderOfNamed(ctx, caller, request.messageIds, request.narrow)
    : await loadNarrowReader(ctx, caller, request.narrow);
  const narrow = await compileNarrow(ctx, caller, request.narrow, reader);
  const { found, rows } = isByIds
    ? await loadNamed(ctx, request.messageIds, reader, narrow)
    : await loadAround(ctx, request, { reader, narrow });
  const range = rangeOfLoaded(found, rows);
  // Checked again after loading: a message may have moved since, and named ids were not searched.
  const visible = rows.filter((row) => maySee(row, reader));
  const [messages, matches] = await Promise.all([
    presentMessages(ctx, caller, visible, reader),
    narrow.search ? highlightMatches(ctx, caller, visible, narrow.search) : [],
  ]);
  for (const [index, match] of matches.entries()) Object.assign(messages[index] as Message, match);
  const { view } = request;
  if (!view) return { messages, messagesJson: [], ...range };
  const messagesJson = await writeListInSlices(messages, (message) => foundMessage(message, view), caller.deadlineAt);
  return { messages: [], messagesJson, ...range };
}

/** The named messages that the reader may read, received or not. */
async function loadNamed(ctx: Context, messageIds: number[], reader: Reader, narrow: Narrow) {
  const isMeant = (id: number) => narrow.messageIds?.includes(id) ?? true;
  const named: Narrow = { ...narrow, scope: { kind: 'named' }, messageIds: messageIds.filter(isMeant) };
  const { id: realmId } = reader.realm;
  const range = { realmId, direction: 'after', fromId: 0, limit: messageIds.length } as const;
  const ids = await findMessages(ctx, { reader, narrow: named }, range);
  const found: Found = { ids, range: { foundAnchor: false, foundOldest: false, foundNewest: false } };
  return { found, rows: await loadShownMessages(ctx.db, realmId, ids, reader.userId, narrow.search !== null) };
}

/** One message, if the caller may read it; otherwise the answer does not reveal whether it exists. */
export async function getMessage(ctx: Context, caller: Caller, { messageId }: GetMessageRequest): Promise<Message> {
  const rows = await loadShownMessages(ctx.db, caller.realmId, [messageId], caller.userId);
  const reader = await loadReader(ctx, caller, channelsOf(rows));
  const readable = rows.filter((row) => mayRead(row, reader));
  const [message] = await presentMessages(ctx, caller, readable, reader);
  if (!message) throw isVisitor(reader) ? notLoggedIn() : new BadRequestError('Invalid message(s)');
  return message;
}

/** A visitor may find more after signing in. */
function notLoggedIn(): UnauthorizedError {
  return new UnauthorizedError('Not logged in: API authentication or user session required');
}

const NOTHING_SOUGHT = { words: '', phrases: [] };

/** The messages, among those the caller received, that the narrow matches, with highlighted matches. */
export async function matchNarrow(
  ctx: Context,
  caller: Caller,
  { messageIds, narrow: terms }: MatchNarrowRequest,
): Promise<MatchNarrowResponse> {
  if (messageIds.length > LIMITS.messagesPerFetch) {
    throw new BadRequestError(`Too many messages requested (maximum ${LIMITS.messagesPerFetch}).`);
  }
  const reader = await loadReaderOfNamed(ctx, caller, messageIds, terms);
  const narrow = await compileNarrow(ctx, caller, terms, reader);
  const isMeant = (id: number) => narrow.messageIds?.includes(id) ?? true;
  const named = { ...narrow, scope: { kind: 'received' } as const, messageIds: messageIds.filter(isMeant) };
  const range = { realmId: caller.realmId, direction: 'after', fromId: 0, limit: messageIds.length } as const;
  const ids = await findMessages(ctx, { reader, narrow: named }, range);
  const rows = await loadFittingMessages(ctx.db, caller.realmId, ids, caller.userId);
  requireAllLoaded(ids, rows);
  const received = rows.filter((row) => maySee(row, reader));
  const matches = await highlightMatches(ctx, caller, received, narrow.search ?? NOTHING_SOUGHT);
  return { matches: received.map(({ id }, index) => ({ messageId: id, ...(matches[index] as Match) })) };
}
