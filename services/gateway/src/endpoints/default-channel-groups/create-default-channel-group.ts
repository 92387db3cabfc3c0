import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, text } from '../../http/parameters';

export const createDefaultChannelGroup = endpoint({
  method: 'POST',
  path: '/default_stream_groups/create',
  summary: 'Make a set of channels for people who join',
  auth: 'user',
  parameters: {
    group_name: text(z.string()),
    description: text(z.string()),
    stream_names: json(z.array(z.string())),
  },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { group_name: name, description, stream_names: channelNames }) {
    await services.realm.createDefaultChannelGroup(call, { name, description, channelNames });
    return {};
  },
});
