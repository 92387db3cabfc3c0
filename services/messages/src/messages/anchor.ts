import { BadRequestError } from '@parley/shared/errors';
import type { GetMessagesRequest } from '@parley/shared/proto';
import { LIMITS } from '@parley/shared/values';

/** Anchors at or beyond this mean the newest message: the number that clients get in answers. */
export const NEWEST = 10_000_000_000_000_000;
export const OLDEST = 0;

/** Throws when no range can be made of the request. */
export function checkRange({ numBefore, numAfter, includeAnchor, messageIds }: GetMessagesRequest): void {
  if (numBefore < 0) throw new BadRequestError('num_before is too small');
  if (numAfter < 0) throw new BadRequestError('num_after is too small');
  if (!includeAnchor && numBefore > 0 && numAfter > 0) {
    throw new BadRequestError('The anchor can only be excluded at an end of the range');
  }
  if (numBefore + numAfter > LIMITS.messagesPerFetch || messageIds.length > LIMITS.messagesPerFetch) {
    throw new BadRequestError(`Too many messages requested (maximum ${LIMITS.messagesPerFetch}).`);
  }
}

/** The message id that an anchor stands for; null for those that have to be looked for: the first unread or of a day. */
export function fixedAnchor({ anchor, anchorKind }: Pick<GetMessagesRequest, 'anchor' | 'anchorKind'>): number | null {
  if (anchor !== undefined) return Math.min(Math.max(anchor, OLDEST), NEWEST);
  if (anchorKind === 'newest') return NEWEST;
  if (anchorKind === 'oldest') return OLDEST;
  if (anchorKind === 'first_unread' || anchorKind === 'date') return null;
  throw new BadRequestError('Invalid anchor');
}
