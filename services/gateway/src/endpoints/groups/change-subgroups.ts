import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, pathId } from '../../http/parameters';

export const changeSubgroups = endpoint({
  method: 'POST',
  path: '/user_groups/{user_group_id}/subgroups',
  summary: 'Put groups into a user group or out of it',
  auth: 'user',
  parameters: {
    user_group_id: pathId(),
    add: json(z.array(z.int()).default([])),
    delete: json(z.array(z.int()).default([])),
  },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { user_group_id: groupId, add: addedIds, delete: removedIds }) {
    await services.realm.changeSubgroups(call, { groupId, addedIds, removedIds });
    return {};
  },
});
