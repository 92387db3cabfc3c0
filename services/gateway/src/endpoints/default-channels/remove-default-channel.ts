import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';

export const removeDefaultChannel = endpoint({
  method: 'DELETE',
  path: '/default_streams',
  summary: 'Subscribe people who are new to a channel no more',
  auth: 'user',
  parameters: { stream_id: json(z.int()) },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { stream_id: channelId }) {
    await services.realm.removeDefaultChannel(call, { channelId });
    return {};
  },
});
