import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, text } from '../../http/parameters';

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
