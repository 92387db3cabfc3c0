import { publicOrganizationImages } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint, Redirect } from '../../http/endpoint';
import { night } from './logo-parameters';

export const getRealmLogo = endpoint({
  method: 'GET',
  path: '/realm/logo',
  summary: "Be led to the organization's wide logo",
  auth: 'user',
  parameters: { night },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call, subdomain }, values) {
    const realm = await services.realm.getRealm(call, { subdomain });
    const { logo_url: day, night_logo_url: dark } = publicOrganizationImages(realm);
    return new Redirect(values.night ? dark : day);
  },
});
