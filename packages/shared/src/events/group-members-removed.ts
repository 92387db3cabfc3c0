import { declareEvent } from './declare-event';
import { seesGroup } from './sees-group';

export interface GroupMembersRemoved {
  groupId: number;
  isDeactivated: boolean;
  userIds: number[];
}

/** Users were put out of a user group. Public event `user_group`, for everyone. */
export const groupMembersRemoved = declareEvent<GroupMembersRemoved>()('group.members-removed', [
  {
    type: 'user_group',
    audience: () => ({ to: 'realm' }),
    isFor: seesGroup,
    variant: () => '',
    render: ({ groupId, userIds }) => ({
      type: 'user_group',
      op: 'remove_members',
      group_id: groupId,
      user_ids: userIds,
    }),
  },
]);
