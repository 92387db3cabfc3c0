import type { Transaction } from '@parley/shared/db';
import { nameKey } from '../name-key';
import { insertGroupLinks, insertGroupMembers, insertGroups } from './fill.sql';
import type { FilledAccount } from './fill-accounts';
import type { Filling } from './filling';
import { planGroups } from './plan-groups';

/** Makes user groups, some inside others. */
export async function fillGroups(
  tx: Transaction,
  { realmId, ownerId, nowMs, size, random }: Filling,
  accounts: readonly FilledAccount[],
): Promise<void> {
  const groups = planGroups(size.groups, [...accounts.keys()], random);
  const rows = groups.map(({ name, description }) => ({ name, name_key: nameKey(name), description }));
  const groupIds = await insertGroups(tx, realmId, { creatorId: ownerId, nowMs }, rows);
  const idOf = (index: number) => groupIds[index] as number;
  const members = groups.flatMap((group, index) =>
    group.members.map((account) => ({ groupId: idOf(index), userId: (accounts[account] as FilledAccount).id })),
  );
  await insertGroupMembers(tx, realmId, members);
  const links = groups.flatMap(({ parent }, index) =>
    parent === null ? [] : [{ groupId: idOf(parent), subgroupId: idOf(index) }],
  );
  await insertGroupLinks(tx, realmId, links);
}
