import { publicLinkifiers } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { linkifierSchema } from '../../wire/linkifier';

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
