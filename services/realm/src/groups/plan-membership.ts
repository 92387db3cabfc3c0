import { BadRequestError, InsufficientPermissionError } from '@parley/shared/errors';
import type { ChangeGroupMembersRequest, GroupSummary } from '@parley/shared/proto';
import type { Actor } from '../actors/actor';
import type { RealmGroupSettings } from '../group-settings/complete-settings';
import { type GroupLink, groupsInside } from '../membership/group-graph';
import { type GroupContent, requireGroups, requireUsableGroups, requireUsers } from './group-input';
import { mayAddMembers, mayRemoveMembers } from './permissions';

export type MembershipChange = Omit<ChangeGroupMembersRequest, 'groupId'>;

export interface MembershipFacts {
  actor: Actor;
  realm: RealmGroupSettings;
  group: GroupSummary;
  content: GroupContent;
  links: readonly GroupLink[];
}

/**
 * The changes of a request, ids distinct, if all are allowed and possible. Additions come before removals: a user added may be removed by
 * the same request.
 */
export function planMembership(request: MembershipChange, facts: MembershipFacts): MembershipChange {
  const change = {
    addedIds: [...new Set(request.addedIds)],
    removedIds: [...new Set(request.removedIds)],
    addedSubgroupIds: [...new Set(request.addedSubgroupIds)],
    removedSubgroupIds: [...new Set(request.removedSubgroupIds)],
  };
  if (change.addedIds.length > 0) checkAddition(change.addedIds, facts);
  if (change.removedIds.length > 0) checkRemoval(change, facts);
  if (change.addedSubgroupIds.length > 0) checkNewSubgroups(change.addedSubgroupIds, facts);
  if (change.removedSubgroupIds.length > 0) checkOldSubgroups(change, facts);
  return change;
}

function checkAddition(userIds: readonly number[], { actor, realm, group, content }: MembershipFacts): void {
  if (!mayAddMembers(actor, group, realm, userIds)) throw new InsufficientPermissionError();
  requireUsers(userIds, content);
  const memberIds = new Set(group.memberIds);
  const member = userIds.find((userId) => memberIds.has(userId));
  if (member !== undefined) throw new BadRequestError(`User ${member} is already a member of this group`);
}

function checkRemoval({ addedIds, removedIds }: MembershipChange, facts: MembershipFacts): void {
  const { actor, realm, group, content } = facts;
  if (!mayRemoveMembers(actor, group, realm, removedIds)) throw new InsufficientPermissionError();
  requireUsers(removedIds, content);
  const memberIds = new Set([...group.memberIds, ...addedIds]);
  const stranger = removedIds.find((userId) => !memberIds.has(userId));
  if (stranger !== undefined) throw new BadRequestError(`There is no member '${stranger}' in this user group`);
}

function checkNewSubgroups(
  groupIds: readonly number[],
  { actor, realm, group, content, links }: MembershipFacts,
): void {
  if (!mayAddMembers(actor, group, realm, [])) throw new InsufficientPermissionError();
  requireUsableGroups(groupIds, content);
  const subgroup = groupIds.find((groupId) => group.directSubgroupIds.includes(groupId));
  if (subgroup !== undefined) throw new BadRequestError(`User group ${subgroup} is already a subgroup of this group.`);
  const isInside = groupIds.includes(group.id) || groupsInside(links, groupIds).has(group.id);
  if (isInside)
    throw new BadRequestError(`User group ${group.id} is already a subgroup of one of the passed subgroups.`);
}

function checkOldSubgroups({ addedSubgroupIds, removedSubgroupIds }: MembershipChange, facts: MembershipFacts): void {
  const { actor, realm, group, content } = facts;
  if (!mayRemoveMembers(actor, group, realm, [])) throw new InsufficientPermissionError();
  requireGroups(removedSubgroupIds, content);
  const subgroupIds = new Set([...group.directSubgroupIds, ...addedSubgroupIds]);
  const stranger = removedSubgroupIds.find((groupId) => !subgroupIds.has(groupId));
  if (stranger !== undefined) throw new BadRequestError(`User group ${stranger} is not a subgroup of this group.`);
}
