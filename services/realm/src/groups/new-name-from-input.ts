import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { groupNameFromInput } from './group-name';
import { isGroupNameTaken } from './groups.sql';

/** The group name that a sent text means, if no group of the organization has it. Groups out of use keep theirs. */
export async function newNameFromInput(sql: Sql, realmId: number, text: string): Promise<string> {
  const name = groupNameFromInput(text);
  if (await isGroupNameTaken(sql, realmId, name)) throw new BadRequestError(`User group '${name}' already exists.`);
  return name;
}
