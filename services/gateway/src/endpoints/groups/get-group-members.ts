import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, pathId } from '../../http/parameters';

export const getGroupMembers = endpoint({
  method: 'GET',
  path: '/user_groups/{user_group_id}/members',
  summary: 'Get the active members of a user group',
  auth: 'user',
  parameters: {
    user_group_id: pathId(),
    direct_member_only: json(z.boolean().default(false).describe('Leave out members of groups inside the group.')),
  },
  result: z.strictObject({ members: z.array(z.int()) }),
  errors: [],
  async handler({ services }, { call }, { user_group_id: groupId, direct_member_only: isDirectOnly }) {
    const { memberIds } = await services.realm.getGroupMembers(call, { groupId, isDirectOnly });
    return { members: memberIds };
  },
});
