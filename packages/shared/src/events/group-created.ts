import type { GroupSummary } from '../proto';
import { publicGroup } from '../wire';
import { declareEvent } from './declare-event';

export interface GroupCreated {
  group: GroupSummary;
}

/** There is one more user group. Public event `user_group`, for everyone. */
export const groupCreated = declareEvent<GroupCreated>()('group.created', [
  {
    type: 'user_group',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ group }) => ({ type: 'user_group', op: 'add', group: publicGroup(group) }),
  },
]);
