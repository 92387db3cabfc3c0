import { type Group, read } from './model';

/** Groups that people have made; those of roles have no names of their own. */
export function namedGroups(): Group[] {
  const { realm_user_groups: groups } = read('people');
  return groups.filter((each) => !each.is_system_group && !each.deactivated);
}

/** The ids of all members, also by groups within it. */
export function memberIdsOf(group: Group): number[] {
  const { realm_user_groups: groups } = read('people');
  const ids = new Set(group.members);
  for (const id of group.direct_subgroup_ids) {
    const within = groups.find((each) => each.id === id);
    if (within) for (const memberId of memberIdsOf(within)) ids.add(memberId);
  }
  return [...ids];
}
