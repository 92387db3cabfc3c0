import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/parameters';

export const addLinkifier = endpoint({
  method: 'POST',
  path: '/realm/filters',
  summary: 'Add a linkifier',
  auth: 'user',
  parameters: {
    pattern: text(z.string().describe("A regular expression in RE2's dialect.")),
    url_template: text(z.string().describe("RFC 6570; its variables are the pattern's named groups.")),
  },
  result: z.strictObject({ id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { pattern, url_template: urlTemplate }) {
    return await services.realm.addLinkifier(call, { pattern, urlTemplate });
  },
});
