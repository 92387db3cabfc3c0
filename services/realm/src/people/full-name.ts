import type { Sql, Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { avatarChanged, type DomainEvent, userRenamed } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, findForbiddenCharacter, LIMITS } from '@parley/shared/values';
import { avatarUrl } from '@parley/shared/wire';
import { changeAudience } from '../accounts/accessible-users';
import { isFullNameTaken, storeFullName } from '../accounts/users.sql';
import { nameKey } from '../base/name-key';
import { botManagerIds } from '../bot-owners/bot-manager-ids';
import { loadRealmSettings } from '../organization/realms.sql';

const MIN_LENGTH = 2;
/** They would end a mention, or start one. */
const FORBIDDEN = /[*`\\>"@]/;
/** `Name|5` distinguishes users of the same name in mentions. */
const ID_AT_END = /\|\d+$/;

/** The normalized full name. */
export function fullNameFromInput(text: string): string {
  const name = text.trim();
  const length = codePointLength(name);
  if (length < MIN_LENGTH) throw new BadRequestError(REFUSAL.accounts.nameTooShort);
  if (length > LIMITS.fullNameLength) throw new BadRequestError(REFUSAL.accounts.nameTooLong);
  if (FORBIDDEN.test(name) || findForbiddenCharacter(name) !== null) {
    throw new BadRequestError(REFUSAL.accounts.nameCharacters);
  }
  if (ID_AT_END.test(name)) throw new BadRequestError(REFUSAL.accounts.nameFormat);
  return name;
}

/** Stores a checked full name, in a transaction that has locked the account; returns the events to announce. */
export async function changeFullName(tx: Transaction, user: User, fullName: string): Promise<DomainEvent[]> {
  if (fullName === user.fullName) return [];
  const { id: userId, realmId } = user;
  await storeFullName(tx, { realmId, userId, fullName, fullNameKey: nameKey(fullName) });
  const audience = await changeAudience(tx, user);
  const renamed = { ...user, fullName };
  const managerIds = user.isBot ? await botManagerIds(tx, realmId, userId) : [];
  const events: DomainEvent[] = [userRenamed(realmId, { userId, audience, fullName, managerIds })];
  // A picture of initials changes with them.
  if (avatarUrl(renamed, false) === avatarUrl(user, false)) return events;
  return [...events, avatarChanged(realmId, { userId, user: renamed, audience, managerIds })];
}

/** Refuses another user's full name, active or not, in organizations with unique names. */
export async function checkNameIsFree(
  sql: Sql,
  realmId: number,
  fullName: string,
  holderId: number | null,
): Promise<void> {
  const { require_unique_names: isUniquenessRequired } = await loadRealmSettings(sql, realmId);
  if (!isUniquenessRequired) return;
  if (await isFullNameTaken(sql, realmId, nameKey(fullName.normalize('NFKC')), holderId)) {
    throw new BadRequestError(REFUSAL.accounts.nameTaken);
  }
}
