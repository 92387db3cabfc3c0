import type { OwnFlags } from '@parley/shared/events';
import type { PersonalFlags } from '@parley/shared/proto';
import type { Copy } from '../fan-out/reach';

/** What somebody has set on a message, where their subscriptions have a say. GET /messages gives the same flags (`isRead` of messages). */
export function flagsOnCopy(own: PersonalFlags, { isReceived, isThere, isLasting }: Copy): OwnFlags {
  const isUnread = isThere && (own.isMarkedUnread === true || (isLasting && !own.isRead));
  return { ...own, isRead: !isUnread, isReceived: isReceived || own.isCalled === true };
}
