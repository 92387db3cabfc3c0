import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, pathText, text } from '../../http/parameters';

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
