import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, pathText } from '../../http/parameters';

export const updateAllowedDomain = endpoint({
  method: 'PATCH',
  path: '/realm/domains/{domain}',
  summary: 'Let addresses of subdomains join, or not',
  auth: 'user',
  parameters: { domain: pathText(), allow_subdomains: json(z.boolean()) },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { domain, allow_subdomains: allowsSubdomains }) {
    await services.realm.updateAllowedDomain(call, { domain, allowsSubdomains });
    return {};
  },
});
