import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, pathId } from '../../http/parameters';

export const getSubgroups = endpoint({
  method: 'GET',
  path: '/user_groups/{user_group_id}/subgroups',
  summary: 'Get the groups inside a user group',
  auth: 'user',
  parameters: {
    user_group_id: pathId(),
    direct_subgroup_only: json(z.boolean().default(false).describe('Leave out groups inside those.')),
  },
  result: z.strictObject({ subgroups: z.array(z.int()) }),
  errors: [],
  async handler({ services }, { call }, { user_group_id: groupId, direct_subgroup_only: isDirectOnly }) {
    const { subgroupIds } = await services.realm.getSubgroups(call, { groupId, isDirectOnly });
    return { subgroups: subgroupIds };
  },
});
