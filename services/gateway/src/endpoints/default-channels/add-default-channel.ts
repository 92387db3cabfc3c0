import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';

export const addDefaultChannel = endpoint({
  method: 'POST',
  path: '/default_streams',
  summary: 'Subscribe people who are new to a channel',
  auth: 'user',
  parameters: { stream_id: json(z.int()) },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { stream_id: channelId }) {
    await services.realm.addDefaultChannel(call, { channelId });
    return {};
  },
});
