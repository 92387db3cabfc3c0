import { declareEvent } from './declare-event';
import { seesGroup } from './sees-group';

export interface GroupMembersAdded {
  groupId: number;
  isDeactivated: boolean;
  userIds: number[];
}

/** Users were put into a user group. Public event `user_group`, for everyone. */
export const groupMembersAdded = declareEvent<GroupMembersAdded>()('group.members-added', [
  {
    type: 'user_group',
    audience: () => ({ to: 'realm' }),
    isFor: seesGroup,
    variant: () => '',
    render: ({ groupId, userIds }) => ({ type: 'user_group', op: 'add_members', group_id: groupId, user_ids: userIds }),
  },
]);
