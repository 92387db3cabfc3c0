import { declareEvent } from './declare-event';
import { seesGroup } from './sees-group';

export interface SubgroupsRemoved {
  groupId: number;
  isDeactivated: boolean;
  subgroupIds: number[];
}

/** Groups were put out of a user group. Public event `user_group`, for everyone. */
export const subgroupsRemoved = declareEvent<SubgroupsRemoved>()('group.subgroups-removed', [
  {
    type: 'user_group',
    audience: () => ({ to: 'realm' }),
    isFor: seesGroup,
    variant: () => '',
    render: ({ groupId, subgroupIds }) => ({
      type: 'user_group',
      op: 'remove_subgroups',
      group_id: groupId,
      direct_subgroup_ids: subgroupIds,
    }),
  },
]);
