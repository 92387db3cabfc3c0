import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId, text } from '../../http/parameters';

export const updateDefaultChannelGroup = endpoint({
  method: 'PATCH',
  path: '/default_stream_groups/{group_id}',
  summary: 'Rename or describe a set of channels for people who join',
  auth: 'user',
  parameters: {
    group_id: pathId(),
    new_group_name: text(z.string().optional()),
    new_description: text(z.string().optional()),
  },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { group_id: id, new_group_name: name, new_description: description }) {
    await services.realm.updateDefaultChannelGroup(call, {
      id,
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
    });
    return {};
  },
});
