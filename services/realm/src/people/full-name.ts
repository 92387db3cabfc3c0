import type { Sql, Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { type DomainEvent, userRenamed } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { codePointLength, findForbiddenCharacter, LIMITS } from '@parley/shared/values';
import { userAudience } from '../accounts/accessible-users';
import { isFullNameTaken, storeFullName } from '../accounts/users.sql';
import { nameKey } from '../base/name-key';
import { loadRealmSettings } from '../organization/realms.sql';

const MIN_LENGTH = 2;
/** They would end, or be taken for, a mention. */
const FORBIDDEN = /[*`\\>"@]/;
/** `Name|5` is how a mention tells namesakes apart. */
const ID_AT_END = /\|\d+$/;

/** The full name that a sent text means. */
export function fullNameFromInput(text: string): string {
  const name = text.trim();
  const length = codePointLength(name);
  if (length < MIN_LENGTH) throw new BadRequestError('Name too short!');
  if (length > LIMITS.fullNameLength) throw new BadRequestError('Name too long!');
  if (FORBIDDEN.test(name) || findForbiddenCharacter(name) !== null) {
    throw new BadRequestError('Invalid characters in name!');
  }
  if (ID_AT_END.test(name)) throw new BadRequestError('Invalid format!');
  return name;
}

/** Stores a full name that was checked, in a transaction that holds the account; returns what is to be announced. */
export async function changeFullName(tx: Transaction, user: User, fullName: string): Promise<DomainEvent[]> {
  if (fullName === user.fullName) return [];
  const { id: userId, realmId } = user;
  await storeFullName(tx, { realmId, userId, fullName, fullNameKey: nameKey(fullName) });
  const audience = await userAudience(tx, realmId, userId);
  return [userRenamed(realmId, { userId, audience, fullName })];
}

/** Refuses a full name that somebody else has, deactivated or not, in an organization that wants names to be unique. */
export async function checkNameIsFree(
  sql: Sql,
  realmId: number,
  fullName: string,
  holderId: number | null,
): Promise<void> {
  const { require_unique_names: isUniquenessRequired } = await loadRealmSettings(sql, realmId);
  if (!isUniquenessRequired) return;
  if (await isFullNameTaken(sql, realmId, nameKey(fullName.normalize('NFKC')), holderId)) {
    throw new BadRequestError('Unique names required in this organization.');
  }
}
