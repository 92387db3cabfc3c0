import { publicNavigationView } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { navigationViewSchema } from '../../wire/navigation-view';

export const getNavigationViews = endpoint({
  method: 'GET',
  path: '/navigation_views',
  summary: "Get the caller's navigation views",
  auth: 'user',
  parameters: {},
  result: z.strictObject({ navigation_views: z.array(navigationViewSchema) }),
  errors: [],
  async handler({ services }, { call }) {
    const { views } = await services.realm.getNavigationViews(call, {});
    return { navigation_views: views.map(publicNavigationView) };
  },
});
