import { BadRequestError } from '@parley/shared/errors';
import type { GetMessagesRequest } from '@parley/shared/proto';

type Anchor = Pick<GetMessagesRequest, 'anchor' | 'anchorKind'>;

const KINDS = ['newest', 'oldest', 'first_unread'];
/** Ids that clients say for "the end": beyond any message. */
const BEYOND_NEWEST = 10 ** 16;

/** The place around which messages are fetched. Numbers beyond either end of the ids mean that end. */
export function decodeAnchor(anchor: string | undefined, isFirstUnread: boolean): Anchor {
  if (isFirstUnread) return { anchorKind: 'first_unread' };
  if (anchor === undefined) throw new BadRequestError("Missing 'anchor' argument.");
  if (KINDS.includes(anchor)) return { anchorKind: anchor };
  if (!/^\s*[+-]?\d+\s*$/.test(anchor)) throw new BadRequestError('Invalid anchor');
  const id = Number(anchor);
  if (id <= 0) return { anchorKind: 'oldest' };
  return id >= BEYOND_NEWEST ? { anchorKind: 'newest' } : { anchor: id };
}
