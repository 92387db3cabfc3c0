import type { Sql } from '@parley/shared/db';
import type { Audience } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { EMAIL_VISIBLE_TO, isEmailVisibleTo, ROLE_VALUES } from '@parley/shared/values';
import { audienceWithout, NOBODY } from './accessible-users';
import { listActiveUserIdsOfRoles } from './users.sql';

/**
 * Of those who know the user: who sees the real address, and who does not. Where most see it those who do not are listed, else those
 * who do: members are many, guests, moderators and administrators few.
 */
export async function emailAudiences(
  sql: Sql,
  { id, realmId, emailAddressVisibility: visibility }: User,
  strangerIds: readonly number[],
): Promise<{ seers: Audience; others: Audience }> {
  if (visibility === EMAIL_VISIBLE_TO.everyone) return { seers: audienceWithout(strangerIds), others: NOBODY };
  const areSeersFew = visibility !== EMAIL_VISIBLE_TO.members;
  const roles = ROLE_VALUES.filter((role) => isEmailVisibleTo(role, visibility) === areSeersFew);
  const found = roles.length === 0 ? [] : await listActiveUserIdsOfRoles(sql, realmId, roles);
  const others = found.filter((userId) => userId !== id && !strangerIds.includes(userId));
  const few = { to: 'users' as const, userIds: areSeersFew ? [...others, id] : others };
  const many = audienceWithout([...strangerIds, ...few.userIds]);
  return areSeersFew ? { seers: few, others: many } : { seers: many, others: few };
}
