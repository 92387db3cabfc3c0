import type { GroupSetting } from '../proto';
import { publicGroupSettings } from '../wire';
import { declareEvent } from './declare-event';
import { seesGroup } from './sees-group';

export interface GroupUpdated {
  groupId: number;
  /** As it is after the change. */
  isDeactivated: boolean;
  /** What has changed, and nothing else. */
  name?: string;
  description?: string;
  settings: Record<string, GroupSetting>;
}

/** A user group's name, description or settings have changed. Public event `user_group`, for everyone. */
export const groupUpdated = declareEvent<GroupUpdated>()('group.updated', [
  {
    type: 'user_group',
    audience: () => ({ to: 'realm' }),
    isFor: seesGroup,
    variant: () => '',
    render: ({ groupId, name, description, settings }) => ({
      type: 'user_group',
      op: 'update',
      group_id: groupId,
      data: {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...publicGroupSettings(settings),
      },
    }),
  },
]);
