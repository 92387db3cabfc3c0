import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { pathId, text } from '../http/parameters';

export const addPlayground = endpoint({
  method: 'POST',
  path: '/realm/playgrounds',
  summary: 'Add a code playground',
  auth: 'user',
  parameters: {
    name: text(z.string()),
    pygments_language: text(z.string()),
    url_template: text(z.string().describe('RFC 6570; its one variable is `code`.')),
  },
  result: z.strictObject({ id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { name, pygments_language: pygmentsLanguage, url_template: urlTemplate }) {
    return await services.realm.addPlayground(call, { name, pygmentsLanguage, urlTemplate });
  },
});

export const removePlayground = endpoint({
  method: 'DELETE',
  path: '/realm/playgrounds/{playground_id}',
  summary: 'Remove a code playground',
  auth: 'user',
  parameters: { playground_id: pathId() },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { playground_id: id }) {
    await services.realm.removePlayground(call, { id });
    return {};
  },
});
