import { publicAllowedDomain } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { allowedDomainSchema } from '../../wire/allowed-domain';

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
