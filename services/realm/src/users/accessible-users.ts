import type { Sql } from '@parley/shared/db';
import type { Audience } from '@parley/shared/events';
import { listStrangers } from './accessible-users.sql';

/** Everybody who may know who the user is; for whatever is announced of them. One statement. */
export async function userAudience(sql: Sql, realmId: number, userId: number): Promise<Audience> {
  return audienceWithout(await listStrangerIds(sql, realmId, userId));
}

/** The same for several users: by user, for those that exist. */
export async function userAudiences(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
): Promise<(userId: number) => Audience> {
  const strangers = new Map(
    (await listStrangers(sql, realmId, userIds)).map(({ userId, guestIds }) => [userId, guestIds]),
  );
  return (userId) => audienceWithout(strangers.get(userId) ?? []);
}

/** Guests who may not know who the user is. */
export async function listStrangerIds(sql: Sql, realmId: number, userId: number): Promise<number[]> {
  const [found] = await listStrangers(sql, realmId, [userId]);
  return found?.guestIds ?? [];
}

export const NOBODY: Audience = { to: 'users', userIds: [] };

/** Everybody but these. */
export function audienceWithout(exceptIds: readonly number[]): Audience {
  return exceptIds.length === 0 ? { to: 'realm' } : { to: 'realm', exceptIds };
}
