import { declareEvent } from './declare-event';
import { seesGroup } from './sees-group';

export interface SubgroupsAdded {
  groupId: number;
  isDeactivated: boolean;
  subgroupIds: number[];
}

/** Groups were put into a user group. Public event `user_group`, for everyone. */
export const subgroupsAdded = declareEvent<SubgroupsAdded>()('group.subgroups-added', [
  {
    type: 'user_group',
    audience: () => ({ to: 'realm' }),
    isFor: seesGroup,
    variant: () => '',
    render: ({ groupId, subgroupIds }) => ({
      type: 'user_group',
      op: 'add_subgroups',
      group_id: groupId,
      direct_subgroup_ids: subgroupIds,
    }),
  },
]);
