import type { Sql } from '@parley/shared/db';
import type { User } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { countPeople } from './account-state.sql';

/** Is there no other person who owns the organization? Bots that do, and those who are deactivated, do not count. */
export async function isLastOwner(sql: Sql, { realmId, role, isBot, isActive }: User): Promise<boolean> {
  if (role !== ROLES.owner || isBot || !isActive) return false;
  return (await countPeople(sql, realmId)).owners === 1;
}
