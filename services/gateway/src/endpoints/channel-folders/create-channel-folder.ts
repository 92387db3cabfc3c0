import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/parameters';

export const createChannelFolder = endpoint({
  method: 'POST',
  path: '/channel_folders/create',
  summary: 'Make a channel folder',
  auth: 'user',
  parameters: { name: text(z.string()), description: text(z.string().default('')) },
  result: z.strictObject({ channel_folder_id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, values) {
    const { id } = await services.realm.createChannelFolder(call, values);
    return { channel_folder_id: id };
  },
});
