import type { PublicEvent, Rules } from './rules';
import { add, change, exclude, find, type Item, include, listOf, type State, take } from './state';

type Members = 'members' | 'direct_subgroup_ids';

/** User groups. */
export const groupRules: Rules = {
  'user_group/add'(state, { group }) {
    add(listOf(state, 'realm_user_groups'), 'id', structuredClone(group as Item));
  },
  'user_group/update'(state, { group_id: id, data }) {
    change(listOf(state, 'realm_user_groups'), 'id', id, data as Item);
  },
  'user_group/remove'(state, { group_id: id }) {
    take(listOf(state, 'realm_user_groups'), 'id', [id]);
  },
  'user_group/add_members': (state, event) =>
    include(membersOf(state, event, 'members'), event['user_ids'] as number[]),
  'user_group/remove_members': (state, event) =>
    exclude(membersOf(state, event, 'members'), event['user_ids'] as number[]),
  'user_group/add_subgroups': (state, event) =>
    include(membersOf(state, event, 'direct_subgroup_ids'), event['direct_subgroup_ids'] as number[]),
  'user_group/remove_subgroups': (state, event) =>
    exclude(membersOf(state, event, 'direct_subgroup_ids'), event['direct_subgroup_ids'] as number[]),
};

function membersOf(state: State, { group_id: groupId }: PublicEvent, name: Members): number[] {
  return find(listOf(state, 'realm_user_groups'), 'id', groupId)[name] as number[];
}
