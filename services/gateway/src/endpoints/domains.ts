import { publicAllowedDomain } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { json, pathText, text } from '../http/parameters';
import { allowedDomainSchema } from '../wire/organization';

export const listAllowedDomains = endpoint({
  method: 'GET',
  path: '/realm/domains',
  summary: 'Get the domains whose addresses may join',
  auth: 'user',
  parameters: {},
  result: z.strictObject({ domains: z.array(allowedDomainSchema) }),
  errors: [],
  async handler({ services }, { call }) {
    const { domains } = await services.realm.listAllowedDomains(call, {});
    return { domains: domains.map(publicAllowedDomain) };
  },
});

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
