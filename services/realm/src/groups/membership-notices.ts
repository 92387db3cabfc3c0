import { silentGroupMention, silentMention } from '@parley/shared/notice-text';
import type { GroupSummary, User } from '@parley/shared/proto';
import type { Notice } from '../notices/announce-notice';
import type { MembershipChange } from './plan-membership';

/** Tells people whom somebody else has put into a group, or out of it. Bots and the actor know already. */
export function membershipNotices(
  { name }: Pick<GroupSummary, 'name'>,
  { addedIds, removedIds }: Pick<MembershipChange, 'addedIds' | 'removedIds'>,
  actor: Pick<User, 'id' | 'fullName'>,
  activePersonIds: ReadonlySet<number>,
): Notice[] {
  const isTold = (userId: number) => userId !== actor.id && activePersonIds.has(userId);
  const notice = (userIds: readonly number[], what: string): Notice => ({
    from: 'notification-bot',
    to: { userIds: userIds.filter(isTold) },
    content: `${silentMention(actor)} ${what} the group ${silentGroupMention(name)}.`,
    readByIds: [],
  });
  return [notice(addedIds, 'added you to'), notice(removedIds, 'removed you from')];
}
