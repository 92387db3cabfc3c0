import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

export const deactivateGroup = endpoint({
  method: 'POST',
  path: '/user_groups/{user_group_id}/deactivate',
  summary: 'Put a user group out of use',
  auth: 'user',
  parameters: { user_group_id: pathId() },
  result: z.strictObject({}),
  errors: ['CANNOT_DEACTIVATE_GROUP_IN_USE'],
  async handler({ services }, { call }, { user_group_id: groupId }) {
    await services.realm.deactivateGroup(call, { groupId });
    return {};
  },
});
