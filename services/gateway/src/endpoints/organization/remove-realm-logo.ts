import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { logoKind, night } from './logo-parameters';

export const removeRealmLogo = endpoint({
  method: 'DELETE',
  path: '/realm/logo',
  summary: "Go back to one of the organization's default wide logos; for administrators",
  auth: 'user',
  parameters: { night },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, values) {
    await services.realm.removeOrganizationImage(call, { kind: logoKind(values.night) });
    return {};
  },
});
