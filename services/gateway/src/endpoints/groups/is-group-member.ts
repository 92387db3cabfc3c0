import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, pathId } from '../../http/parameters';

export const isGroupMember = endpoint({
  method: 'GET',
  path: '/user_groups/{user_group_id}/members/{user_id}',
  summary: 'Ask whether a person is in a user group',
  auth: 'user',
  parameters: {
    user_group_id: pathId(),
    user_id: pathId(),
    direct_member_only: json(z.boolean().default(false).describe('Leave out groups inside the group.')),
  },
  result: z.strictObject({ is_user_group_member: z.boolean() }),
  errors: [],
  async handler({ services }, { call }, values) {
    const { user_group_id: groupId, user_id: userId, direct_member_only: isDirectOnly } = values;
    const { isMember } = await services.realm.isGroupMember(call, { groupId, userId, isDirectOnly });
    return { is_user_group_member: isMember };
  },
});
