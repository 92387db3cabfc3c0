import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathText } from '../../http/parameters';

export const removeAllowedDomain = endpoint({
  method: 'DELETE',
  path: '/realm/domains/{domain}',
  summary: 'Let addresses of a domain join no more',
  auth: 'user',
  parameters: { domain: pathText() },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { domain }) {
    await services.realm.removeAllowedDomain(call, { domain });
    return {};
  },
});
