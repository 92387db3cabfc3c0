import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

/** SPEC-GAP: see getApiKeys. A client that signs out ends its own key so. */
export const revokeApiKey = endpoint({
  method: 'DELETE',
  path: '/users/me/api_keys/{key_id}',
  summary: "End one of the caller's API keys",
  auth: 'user',
  parameters: { key_id: pathId() },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, values) {
    await services.realm.revokeApiKey(call, { keyId: values.key_id });
    return {};
  },
});
