import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { SubscribeRequest, User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { possibleIds, possibleTexts } from '../base/possible-values';
import { holdUsers } from './subscriptions.sql';

const MAX_PRINCIPALS = 20_000;
/** Channels times users: bounds a request to a few seconds. */
const MAX_PAIRS = 20_000;

/** The users of a request. */
interface Principals {
  users: User[];
  /** The number of names in the request; larger than that of users when some do not exist. */
  count: number;
}

/**
 * Locks the distinct users that a request names, by id or API address, or the caller if it names none, against deactivation until the
 * transaction ends. Must come before locks of channels.
 */
export async function holdPrincipals(
  tx: Transaction,
  caller: User,
  { principalIds, principalEmails }: Pick<SubscribeRequest, 'principalIds' | 'principalEmails'>,
): Promise<Principals> {
  const ids = new Set(principalIds);
  const emails = new Set(principalEmails.map((email) => email.trim().toLowerCase()));
  if (ids.size > 0 && emails.size > 0) {
    throw new BadRequestError('principals may contain emails or user IDs, but not both.');
  }
  const count = ids.size + emails.size;
  if (count > MAX_PRINCIPALS) throw new BadRequestError(`Too many principals (limit: ${MAX_PRINCIPALS})`);
  const wanted =
    count === 0 ? { ids: [caller.id], emails: [] } : { ids: possibleIds([...ids]), emails: possibleTexts([...emails]) };
  const users = await holdUsers(tx, caller.realmId, wanted);
  return { users: users.filter(({ isSystemBot }) => !isSystemBot), count: Math.max(count, 1) };
}

/** Whether the request is about other users. */
export function areOthers({ users, count }: Principals, { id }: Pick<User, 'id'>): boolean {
  return count > 1 || users[0]?.id !== id;
}

/** Refuses requests with more subscriptions than one transaction should change. */
export function refuseTooMany(channelCount: number, { count }: Principals): void {
  if (channelCount * count > MAX_PAIRS) throw new BadRequestError(`Too many subscriptions (limit: ${MAX_PAIRS})`);
}

/** Refuses requests with unknown or deactivated users. */
export function requireActive({ users, count }: Principals): void {
  if (users.length < count) throw new BadRequestError('No such user');
  if (users.some(({ isActive }) => !isActive)) throw new BadRequestError(REFUSAL.people.deactivated);
}
