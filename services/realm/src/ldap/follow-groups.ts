import { BadRequestError } from '@parley/shared/errors';
import type { User } from '@parley/shared/proto';
import { recordChange } from '../audit/with-audit';
import type { Context } from '../context';
import { changeOutsideMembers, type MembersFromOutside, outsideGroupChanges } from '../directory/outside-memberships';
import { listFillableGroups, listMembers, type Source } from '../directory/outside-memberships.sql';
import { lockRealm } from '../organization/realms.sql';
import { followRole, type Place } from './change-accounts-by-directory';
import type { UsedDirectory } from './directories';
import { groupIdsOf, isSameRole, roleByRules } from './group-rules';
import { findGivenRole } from './identities.sql';
import { type GroupPlan, type Known, planGroups } from './plan-groups';
import type { DirectoryGroup } from './read-groups';

/** An organization has one directory. */
const sourceOf = (realmId: number): Source => ({ realmId, source: 'ldap' });

/** A sync's changes of groups and roles; none without a credible answer about groups. */
export async function planOfGroups(
  { db }: Context,
  settings: UsedDirectory,
  { known, groups }: { known: readonly Known[]; groups: readonly DirectoryGroup[] | null },
): Promise<GroupPlan> {
  if (groups === null) return { memberships: [], roles: [] };
  const { realmId, groupRules } = settings;
  const ruledIds = [...new Set(groupRules.map(({ groupId }) => groupId))];
  return planGroups({
    ...{ known, groups, rules: settings },
    fillableIds: await listFillableGroups(db, realmId, ruledIds),
    members: await listMembers(db, sourceOf(realmId), ruledIds),
  });
}

/** Changes members of a group as the directory wants, with one entry in the audit log. */
export async function followMembers(
  { ctx, realmId, requestId }: Place,
  members: MembersFromOutside,
): Promise<['changed', number]> {
  const { groupId: id, addedIds, removedIds } = members;
  const deed = { act: 'ldap-group-changed', actor: { kind: 'service' as const }, requestId };
  await ctx.db.transaction(async (tx) => {
    await lockRealm(tx, realmId);
    await recordChange(ctx, tx, { realmId, kind: 'group', id, deed }, async () => {
      await changeOutsideMembers(tx, sourceOf(realmId), members, ctx.clock.now());
      return { id };
    });
  });
  return ['changed', addedIds.length + removedIds.length];
}

/** Gives somebody who signs in the groups and the role of their groups in the directory. */
export async function followOwnGroups(
  place: Place,
  settings: UsedDirectory,
  { id: userId, role }: Pick<User, 'id' | 'role'>,
  names: ReadonlySet<string>,
): Promise<void> {
  const { ctx, realmId } = place;
  const changes = await outsideGroupChanges(ctx.db, sourceOf(realmId), userId, groupIdsOf(names, settings));
  for (const groupId of changes.removed) await followMembers(place, { groupId, addedIds: [], removedIds: [userId] });
  for (const groupId of changes.added) await followMembers(place, { groupId, addedIds: [userId], removedIds: [] });
  const state = { role, givenRole: await findGivenRole(ctx.db, realmId, userId) };
  const after = roleByRules(names, settings, state);
  if (isSameRole(after, state)) return;
  try {
    await followRole(place, { userId }, after);
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error;
    ctx.log.warn({ realmId, userId, err: error }, 'a role of the directory was not taken over');
  }
}
