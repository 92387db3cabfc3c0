import { publicGroup } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';
import { groupSchema } from '../../wire/group';

export const listGroups = endpoint({
  method: 'GET',
  path: '/user_groups',
  summary: "Get the organization's user groups",
  auth: 'user',
  parameters: { include_deactivated_groups: json(z.boolean().default(false)) },
  result: z.strictObject({ user_groups: z.array(groupSchema).describe('System groups included, by id.') }),
  errors: [],
  async handler({ services }, { call }, { include_deactivated_groups: includesDeactivated }) {
    const { groups } = await services.realm.listGroups(call, { includesDeactivated });
    return { user_groups: groups.map(publicGroup) };
  },
});
