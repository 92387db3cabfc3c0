import { declareEvent } from './declare-event';
import { knowsDeactivatedGroups } from './sees-group';

export interface GroupDeactivated {
  groupId: number;
}

/** A user group is out of use. Public event `user_group`, for everyone. */
export const groupDeactivated = declareEvent<GroupDeactivated>()('group.deactivated', [
  {
    type: 'user_group',
    audience: () => ({ to: 'realm' }),
    variant: (view) => String(knowsDeactivatedGroups(view)),
    render: ({ groupId }, view) =>
      knowsDeactivatedGroups(view)
        ? { type: 'user_group', op: 'update', group_id: groupId, data: { deactivated: true } }
        : { type: 'user_group', op: 'remove', group_id: groupId },
  },
]);
