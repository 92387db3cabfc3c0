import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

export const removeDefaultChannelGroup = endpoint({
  method: 'DELETE',
  path: '/default_stream_groups/{group_id}',
  summary: 'Do away with a set of channels for people who join',
  auth: 'user',
  parameters: { group_id: pathId() },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { group_id: id }) {
    await services.realm.removeDefaultChannelGroup(call, { id });
    return {};
  },
});
