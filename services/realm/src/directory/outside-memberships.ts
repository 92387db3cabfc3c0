import { announce } from '@parley/shared/bus';
import type { Sql, Transaction } from '@parley/shared/db';
import { groupMembersAdded, groupMembersRemoved } from '@parley/shared/events';
import { watchVisibility } from '../channel-access/channel-visibility';
import { lockChannelsSeenThrough } from '../channel-access/channel-visibility.sql';
import { deleteMembers, insertMembers } from '../membership/group-members.sql';
import { lockRealm } from '../organization/realms.sql';
import {
  deleteMarks,
  insertMarks,
  listFillableGroups,
  listGroupsBySource,
  listStandings,
  type Source,
  type Standing,
} from './outside-memberships.sql';

export interface MembersFromOutside {
  groupId: number;
  /** Whom the source wants in the group; members already are no error. */
  addedIds: readonly number[];
  /** Whom it no longer wants; only those that it has put in leave. */
  removedIds: readonly number[];
}

/** A source's changes in a group: its own marks, and the members that follow. */
interface Plan {
  markedIds: number[];
  unmarkedIds: number[];
  joiningIds: number[];
  leavingIds: number[];
}

/**
 * Puts users into a group in the name of an outside source, and takes out those whom no other source and nobody by hand has put in. The
 * caller has checked that the group is fillable (listFillableGroups) and belongs to the organization, as do the users.
 */
export async function changeOutsideMembers(
  tx: Transaction,
  source: Source,
  { groupId, addedIds, removedIds }: MembersFromOutside,
  nowMs: number,
): Promise<void> {
  const { realmId } = source;
  await lockRealm(tx, realmId);
  const standings = await listStandings(tx, source, groupId, [...addedIds, ...removedIds]);
  const plan = planOutsideMembers(standings, new Set(addedIds));
  const activeIds = new Set(standings.filter(({ isActive }) => isActive).map(({ userId }) => userId));
  const scope = {
    userIds: [...plan.joiningIds, ...plan.leavingIds].filter((id) => activeIds.has(id)),
    channelIds: await lockChannelsSeenThrough(tx, realmId, groupId),
  };
  await watchVisibility(tx, realmId, scope, nowMs, () => store(tx, source, groupId, plan));
  // Deactivated members are announced when they come back.
  const [joined, left] = [plan.joiningIds, plan.leavingIds].map((ids) => ids.filter((id) => activeIds.has(id)));
  const about = { groupId, isDeactivated: false };
  await announce(
    tx,
    ...(joined?.length ? [groupMembersAdded(realmId, { ...about, userIds: joined })] : []),
    ...(left?.length ? [groupMembersRemoved(realmId, { ...about, userIds: left })] : []),
  );
}

/** Members added by hand have no mark and get none, so the source never removes them. */
export function planOutsideMembers(standings: readonly Standing[], wantedIds: ReadonlySet<number>): Plan {
  const wanted = standings.filter(({ userId }) => wantedIds.has(userId));
  const unwanted = standings.filter(({ userId, isOwn }) => isOwn && !wantedIds.has(userId));
  const idsOf = (some: readonly Standing[]) => some.map(({ userId }) => userId);
  return {
    markedIds: idsOf(wanted.filter(({ isMember, isOwn, isOthers }) => !isMember || isOwn || isOthers)),
    unmarkedIds: idsOf(unwanted),
    joiningIds: idsOf(wanted.filter(({ isMember }) => !isMember)),
    leavingIds: idsOf(unwanted.filter(({ isOthers }) => !isOthers)),
  };
}

async function store(tx: Transaction, source: Source, groupId: number, plan: Plan): Promise<void> {
  await insertMembers(tx, source.realmId, groupId, plan.joiningIds);
  await insertMarks(tx, source, groupId, plan.markedIds);
  await deleteMarks(tx, source, groupId, plan.unmarkedIds);
  await deleteMembers(tx, source.realmId, groupId, plan.leavingIds);
}

/**
 * Gives a user exactly the groups that an outside source wants for them, as far as the source decides: what others or somebody by hand
 * made stays. Groups that do not exist, are deactivated or the system's own are passed over.
 */
export async function followOutsideGroups(
  tx: Transaction,
  source: Source,
  { userId, groupIds }: { userId: number; groupIds: readonly number[] },
  nowMs: number,
): Promise<void> {
  const { added, removed } = await outsideGroupChanges(tx, source, userId, groupIds);
  for (const groupId of added) {
    await changeOutsideMembers(tx, source, { groupId, addedIds: [userId], removedIds: [] }, nowMs);
  }
  for (const groupId of removed) {
    await changeOutsideMembers(tx, source, { groupId, addedIds: [], removedIds: [userId] }, nowMs);
  }
}

/** The groups in which followOutsideGroups() would change something, at most. */
export async function outsideGroupChanges(
  sql: Sql,
  source: Source,
  userId: number,
  groupIds: readonly number[],
): Promise<{ added: number[]; removed: number[] }> {
  const present = await listGroupsBySource(sql, source, userId);
  const fillable = await listFillableGroups(sql, source.realmId, groupIds);
  return {
    added: fillable.filter((groupId) => !present.includes(groupId)),
    removed: present.filter((groupId) => !groupIds.includes(groupId)),
  };
}
