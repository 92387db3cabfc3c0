import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { organizationIconOf } from './organization-icon-of';

export const removeRealmIcon = endpoint({
  method: 'DELETE',
  path: '/realm/icon',
  summary: "Go back to the organization's default icon; for administrators",
  auth: 'user',
  parameters: {},
  result: z.strictObject({ icon_url: z.string() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, request) {
    const { images } = await services.realm.removeOrganizationImage(request.call, { kind: 'icon' });
    return { icon_url: organizationIconOf(request, images) };
  },
});
