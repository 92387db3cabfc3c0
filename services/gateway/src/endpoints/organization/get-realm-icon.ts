import { organizationIconUrl } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint, Redirect } from '../../http/endpoint';

export const getRealmIcon = endpoint({
  method: 'GET',
  path: '/realm/icon',
  summary: "Be led to the organization's icon",
  auth: 'user',
  parameters: {},
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call, subdomain }) {
    return new Redirect(organizationIconUrl(await services.realm.getRealm(call, { subdomain })));
  },
});
