import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathText } from '../../http/parameters';

export const removeNavigationView = endpoint({
  method: 'DELETE',
  path: '/navigation_views/{fragment}',
  summary: 'Remove a navigation view',
  auth: 'user',
  parameters: { fragment: pathText() },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { fragment }) {
    await services.realm.removeNavigationView(call, { fragment });
    return {};
  },
});
