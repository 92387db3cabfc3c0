import type { GroupSummary } from '../proto';
import { publicGroup } from '../wire';
import { declareEvent } from './declare-event';
import { knowsDeactivatedGroups } from './sees-group';

export interface GroupReactivated {
  group: GroupSummary;
}

/** A deactivated user group is in use again. Public event `user_group`, for everyone. */
export const groupReactivated = declareEvent<GroupReactivated>()('group.reactivated', [
  {
    type: 'user_group',
    audience: () => ({ to: 'realm' }),
    variant: (view) => String(knowsDeactivatedGroups(view)),
    render: ({ group }, view) =>
      knowsDeactivatedGroups(view)
        ? { type: 'user_group', op: 'update', group_id: group.id, data: { deactivated: false } }
        : { type: 'user_group', op: 'add', group: publicGroup(group) },
  },
]);
