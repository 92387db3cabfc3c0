import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, text } from '../../http/parameters';

export const addAllowedDomain = endpoint({
  method: 'POST',
  path: '/realm/domains',
  summary: 'Let addresses of a domain join',
  auth: 'user',
  parameters: { domain: text(z.string()), allow_subdomains: json(z.boolean()) },
  result: z.strictObject({ new_domain: z.tuple([z.int(), z.string()]).describe('Id and domain.') }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, values) {
    const request = { domain: values.domain, allowsSubdomains: values.allow_subdomains };
    const { id, domain } = await services.realm.addAllowedDomain(call, request);
    return { new_domain: [id, domain] as [number, string] };
  },
});
