import { publicLinkifiers } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { json, pathId, text } from '../http/parameters';
import { linkifierSchema } from '../wire/organization';

export const listLinkifiers = endpoint({
  method: 'GET',
  path: '/realm/linkifiers',
  summary: "Get the organization's linkifiers",
  auth: 'user',
  parameters: {},
  result: z.strictObject({ linkifiers: z.array(linkifierSchema).describe('In the order in which they are applied.') }),
  errors: [],
  async handler({ services }, { call }) {
    const { linkifiers } = await services.realm.listLinkifiers(call, {});
    return { linkifiers: publicLinkifiers(linkifiers) };
  },
});

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

export const removeLinkifier = endpoint({
  method: 'DELETE',
  path: '/realm/filters/{filter_id}',
  summary: 'Remove a linkifier',
  auth: 'user',
  parameters: { filter_id: pathId() },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { filter_id: id }) {
    await services.realm.removeLinkifier(call, { id });
    return {};
  },
});

export const reorderLinkifiers = endpoint({
  method: 'PATCH',
  path: '/realm/linkifiers',
  summary: 'Say in which order linkifiers are applied',
  auth: 'user',
  parameters: { ordered_linkifier_ids: json(z.array(z.int()).describe('Every linkifier, once.')) },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { ordered_linkifier_ids: orderedIds }) {
    await services.realm.reorderLinkifiers(call, { orderedIds });
    return {};
  },
});
