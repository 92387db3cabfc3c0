import { publicNavigationView } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { json, pathText, text } from '../http/parameters';
import { navigationViewSchema } from '../wire/user-settings';

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

export const addNavigationView = endpoint({
  method: 'POST',
  path: '/navigation_views',
  summary: 'Add a navigation view',
  auth: 'user',
  parameters: {
    fragment: text(z.string().describe('What the web address says after its #.')),
    is_pinned: json(z.boolean()),
    name: text(z.string().optional().describe('Absent for views that clients bring along.')),
  },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { fragment, is_pinned: isPinned, name }) {
    await services.realm.addNavigationView(call, { fragment, isPinned, ...(name !== undefined && { name }) });
    return {};
  },
});

export const updateNavigationView = endpoint({
  method: 'PATCH',
  path: '/navigation_views/{fragment}',
  summary: 'Rename, pin or unpin a navigation view',
  auth: 'user',
  parameters: {
    fragment: pathText(),
    is_pinned: json(z.boolean().optional()),
    name: text(z.string().optional()),
  },
  result: z.strictObject({}),
  errors: ['NOT_FOUND'],
  async handler({ services }, { call }, { fragment, is_pinned: isPinned, name }) {
    await services.realm.updateNavigationView(call, {
      fragment,
      ...(isPinned !== undefined && { isPinned }),
      ...(name !== undefined && { name }),
    });
    return {};
  },
});

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
