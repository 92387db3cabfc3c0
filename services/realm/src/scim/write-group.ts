import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { groupCreated, groupDeactivated, groupReactivated, groupUpdated } from '@parley/shared/events';
import { nameKey } from '../base/name-key';
import type { Context } from '../context';
import { insertMarks } from '../directory/outside-memberships.sql';
import { applyMembership } from '../groups/change-membership';
import { groupNameFromInput } from '../groups/group-input';
import { insertGroup, lockGroup, updateGroupRow } from '../groups/groups.sql';
import { accessGroup } from '../groups/list-groups';
import { deleteMembers, insertMembers, listGroupUses } from '../membership/group-members.sql';
import type { GroupRow } from './groups.sql';
import { findNamedGroup, listMemberFacts, listPersonIds, type MemberFacts, storeScimGroup } from './groups.sql';
import type { MembersChange } from './members';
import { invalidValue, taken } from './scim-error';

const SOURCE = 'scim';

interface Place {
  realmId: number;
  nowMs: number;
}

/** Makes the group, or reopens the one of that name that was closed or deleted; returns its id. */
export async function openProvidedGroup(
  tx: Transaction,
  { realmId, nowMs }: Place,
  displayName: string,
): Promise<number> {
  const name = groupNameFromInput(displayName);
  const found = await findNamedGroup(tx, realmId, name);
  if (found !== null && (found.isSystem || !found.isHidden)) throw groupTaken(name);
  if (found === null) return makeGroup(tx, { realmId, nowMs }, name);
  if (found.isDeactivated) {
    await updateGroupRow(tx, realmId, found.id, { isDeactivated: false });
    await announce(tx, groupReactivated(realmId, { group: await accessGroup(tx, realmId, found.id, nowMs) }));
  }
  return found.id;
}

async function makeGroup(tx: Transaction, { realmId, nowMs }: Place, name: string): Promise<number> {
  const row = { name, nameKey: nameKey(name), description: '', creatorId: null, createdAtMs: nowMs };
  const groupId = await insertGroup(tx, realmId, row);
  await announce(tx, groupCreated(realmId, { group: await accessGroup(tx, realmId, groupId, nowMs) }));
  return groupId;
}

function groupTaken(name: string) {
  return taken(`There is a group with the displayName "${name}"`);
}

/** Gives a group another name; returns whether it has one. */
export async function renameGroup(
  tx: Transaction,
  realmId: number,
  row: GroupRow,
  displayName: string,
): Promise<boolean> {
  const name = groupNameFromInput(displayName);
  if (name === row.name) return false;
  if ((await findNamedGroup(tx, realmId, name)) !== null) throw groupTaken(name);
  await updateGroupRow(tx, realmId, row.id, { name, nameKey: nameKey(name) });
  await announce(tx, groupUpdated(realmId, { groupId: row.id, isDeactivated: false, name, settings: {} }));
  return true;
}

/** Changes a group's members; returns whose membership has changed. Bots in the group are not the provider's, and stay. */
export async function changeMembers(
  tx: Transaction,
  { realmId, nowMs }: Place,
  groupId: number,
  { replaced, added, removed }: MembersChange,
): Promise<number[]> {
  const presentIds = replaced === null ? [] : await listPersonIds(tx, realmId, groupId);
  const wantedIds = [...new Set([...(replaced ?? []), ...added])];
  const asked = [...new Set([...wantedIds, ...removed, ...presentIds])];
  if (asked.length === 0) return [];
  const facts = await listMemberFacts(tx, realmId, groupId, asked);
  const wanted = new Set(wantedIds);
  requireKnown(wanted, facts);
  const joining = facts.filter(({ id, isMember }) => wanted.has(id) && !isMember);
  const isLeaving = ({ id, isMember }: MemberFacts) =>
    isMember && !wanted.has(id) && (replaced !== null || removed.has(id));
  const leaving = facts.filter(isLeaving);
  await storeMembers(tx, { realmId, nowMs }, groupId, { joining, leaving });
  // No other source takes out whom the provider wants in.
  await insertMarks(tx, { realmId, source: SOURCE }, groupId, wantedIds);
  return [...joining, ...leaving].map(({ id }) => id);
}

function requireKnown(wanted: ReadonlySet<number>, facts: readonly MemberFacts[]): void {
  const known = new Set(facts.map(({ id }) => id));
  const unknown = [...wanted].find((id) => !known.has(id));
  if (unknown !== undefined) throw invalidValue(`There is no user ${unknown}`);
}

/** Inactive accounts count as members when they are active again: nothing is announced about them. */
async function storeMembers(
  tx: Transaction,
  { realmId, nowMs }: Place,
  groupId: number,
  { joining, leaving }: { joining: readonly MemberFacts[]; leaving: readonly MemberFacts[] },
): Promise<void> {
  const idsOf = (facts: readonly MemberFacts[], isActive: boolean) =>
    facts.filter((fact) => fact.isActive === isActive).map(({ id }) => id);
  const change = { addedIds: idsOf(joining, true), removedIds: idsOf(leaving, true) };
  if (change.addedIds.length + change.removedIds.length > 0) {
    const subgroups = { addedSubgroupIds: [], removedSubgroupIds: [] };
    await applyMembership(tx, realmId, { id: groupId, isDeactivated: false }, { ...change, ...subgroups }, nowMs);
  }
  await insertMembers(tx, realmId, groupId, idsOf(joining, false));
  await deleteMembers(tx, realmId, groupId, idsOf(leaving, false));
}

/** Empties a group and closes it, unless something uses it: then it stays, empty. Returns whose membership has ended. */
export async function closeGroup(ctx: Context, tx: Transaction, realmId: number, row: GroupRow): Promise<number[]> {
  const nowMs = ctx.clock.now();
  const everybody = { replaced: new Set<number>(), added: new Set<number>(), removed: new Set<number>() };
  const formerIds = await changeMembers(tx, { realmId, nowMs }, row.id, everybody);
  await storeScimGroup(tx, { realmId, groupId: row.id, externalId: null, isRemoved: true });
  // NOTE: the row is locked before the uses are read: transactions that grant a right to the group lock it, too.
  await lockGroup(tx, realmId, row.id);
  if ((await listGroupUses(tx, realmId, row.id)).length === 0) {
    await updateGroupRow(tx, realmId, row.id, { isDeactivated: true });
    await announce(tx, groupDeactivated(realmId, { groupId: row.id }));
  }
  return formerIds;
}
