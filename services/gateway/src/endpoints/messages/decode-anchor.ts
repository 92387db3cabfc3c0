import { BadRequestError } from '@parley/shared/errors';
import type { GetMessagesRequest } from '@parley/shared/proto';

type Anchor = Pick<GetMessagesRequest, 'anchor' | 'anchorKind' | 'anchorDateMs'>;

/** ISO 8601: a day, or an instant; without a zone it is UTC. */
const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

const KINDS = ['newest', 'oldest', 'first_unread'];
/** Ids that clients say for "the end": beyond any message. */
const BEYOND_NEWEST = 10 ** 16;

/** The place around which messages are fetched. Numbers beyond either end of the ids mean that end. */
export function decodeAnchor(anchor: string | undefined, isFirstUnread: boolean, date?: string): Anchor {
  if (isFirstUnread) return { anchorKind: 'first_unread' };
  if (anchor === undefined) throw new BadRequestError("Missing 'anchor' argument.");
  if (KINDS.includes(anchor)) return { anchorKind: anchor };
  if (anchor === 'date') return { anchorKind: 'date', anchorDateMs: decodeDate(date) };
  if (!/^\s*[+-]?\d+\s*$/.test(anchor)) throw new BadRequestError('Invalid anchor');
  const id = Number(anchor);
  if (id <= 0) return { anchorKind: 'oldest' };
  return id >= BEYOND_NEWEST ? { anchorKind: 'newest' } : { anchor: id };
}

function decodeDate(date: string | undefined): number {
  if (date === undefined) throw new BadRequestError("Missing 'anchor_date' argument.");
  const isZoned = /(Z|[+-]\d\d:?\d\d)$/.test(date.slice(10));
  const dateMs = DATE.test(date) ? Date.parse(date.length > 10 && !isZoned ? `${date}Z` : date) : Number.NaN;
  if (Number.isNaN(dateMs)) throw new BadRequestError('Invalid anchor_date');
  return dateMs;
}
