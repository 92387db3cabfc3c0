import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { SubscribeRequest, User } from '@parley/shared/proto';
import { possibleIds, possibleTexts } from '../possible-values';
import { findUsersByEmails, findUsersByIds } from '../users/users.sql';

const MAX_PRINCIPALS = 20_000;

type Principals = Pick<SubscribeRequest, 'principalIds' | 'principalEmails'>;

/** The users that a request names, by id or by API address, each once; the caller when it names nobody. */
export async function findPrincipals(sql: Sql, caller: User, principals: Principals): Promise<User[]> {
  const ids = new Set(principals.principalIds);
  const emails = new Set(principals.principalEmails.map((email) => email.trim().toLowerCase()));
  if (ids.size + emails.size === 0) return [caller];
  if (ids.size > 0 && emails.size > 0) {
    throw new BadRequestError('principals may contain emails or user IDs, but not both.');
  }
  const count = ids.size + emails.size;
  if (count > MAX_PRINCIPALS) throw new BadRequestError(`Too many principals (limit: ${MAX_PRINCIPALS})`);
  const users =
    ids.size > 0
      ? await findUsersByIds(sql, caller.realmId, possibleIds([...ids]))
      : await findUsersByEmails(sql, caller.realmId, possibleTexts([...emails]));
  if (users.length < count) throw new BadRequestError('No such user');
  if (users.some(({ isActive }) => !isActive)) throw new BadRequestError('User is deactivated');
  return users;
}
