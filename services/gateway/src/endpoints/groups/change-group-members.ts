import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, pathId } from '../../http/parameters';

const ids = () => json(z.array(z.int()).default([]));

export const changeGroupMembers = endpoint({
  method: 'POST',
  path: '/user_groups/{user_group_id}/members',
  summary: 'Put users, and groups, into a user group or out of it',
  auth: 'user',
  parameters: {
    user_group_id: pathId(),
    add: ids(),
    delete: ids(),
    add_subgroups: ids(),
    delete_subgroups: ids(),
  },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, values) {
    await services.realm.changeGroupMembers(call, {
      groupId: values.user_group_id,
      addedIds: values.add,
      removedIds: values.delete,
      addedSubgroupIds: values.add_subgroups,
      removedSubgroupIds: values.delete_subgroups,
    });
    return {};
  },
});
