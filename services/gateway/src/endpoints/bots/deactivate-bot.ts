import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

export const deactivateBot = endpoint({
  method: 'DELETE',
  path: '/bots/{bot_id}',
  summary: 'Take a bot out of use',
  auth: 'user',
  parameters: { bot_id: pathId() },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { bot_id: botId }) {
    await services.realm.deactivateBot(call, { botId });
    return {};
  },
});
