import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { nameKey } from '../name-key';
import { loadRealmSettings } from '../realms/realm-settings.sql';
import { isFullNameTaken } from './users.sql';

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
