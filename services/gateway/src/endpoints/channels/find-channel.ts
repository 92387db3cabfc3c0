import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/parameters';

export const findChannel = endpoint({
  method: 'GET',
  path: '/get_stream_id',
  summary: 'Get the id of the channel of a name, in any casing',
  auth: 'user',
  parameters: { stream: text(z.string()) },
  result: z.strictObject({ stream_id: z.int() }),
  errors: [],
  async handler({ services }, { call }, { stream: name }) {
    const { channelId } = await services.realm.findChannel(call, { name });
    return { stream_id: channelId };
  },
});
