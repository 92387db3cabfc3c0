import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';

export const reorderChannelFolders = endpoint({
  method: 'PATCH',
  path: '/channel_folders',
  summary: 'Put channel folders into another order',
  auth: 'user',
  parameters: { order: json(z.array(z.int()).describe('Every folder, archived ones included, once.')) },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { order: orderedIds }) {
    await services.realm.reorderChannelFolders(call, { orderedIds });
    return {};
  },
});
