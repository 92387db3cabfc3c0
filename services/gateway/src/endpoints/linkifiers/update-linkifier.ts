import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId, text } from '../../http/parameters';

export const updateLinkifier = endpoint({
  method: 'PATCH',
  path: '/realm/filters/{filter_id}',
  summary: 'Change a linkifier',
  auth: 'user',
  parameters: {
    filter_id: pathId(),
    pattern: text(z.string().describe("A regular expression in RE2's dialect.")),
    url_template: text(z.string().describe("RFC 6570; its variables are the pattern's named groups.")),
  },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { filter_id: id, pattern, url_template: urlTemplate }) {
    await services.realm.updateLinkifier(call, { id, pattern, urlTemplate });
    return {};
  },
});
