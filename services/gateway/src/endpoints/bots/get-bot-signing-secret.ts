import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

export const getBotSigningSecret = endpoint({
  method: 'GET',
  path: '/bots/{bot_id}/signing_secret',
  summary: "Show what calls of the caller's outgoing webhook bot are signed with",
  auth: 'user',
  parameters: { bot_id: pathId() },
  result: z.strictObject({ signing_secret: z.string().describe('In the form of Standard Webhooks.') }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { bot_id: botId }) {
    const { signingSecret } = await services.realm.getBotSigningSecret(call, { botId });
    return { signing_secret: signingSecret };
  },
});
