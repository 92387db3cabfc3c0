import { publicDraft } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { draftSchema } from '../../wire/draft';

export const getDrafts = endpoint({
  method: 'GET',
  path: '/drafts',
  summary: "Get the caller's drafts",
  auth: 'user',
  parameters: {},
  result: z.strictObject({
    count: z.int(),
    drafts: z.array(draftSchema).describe('The one that was edited last comes first.'),
  }),
  errors: [],
  async handler({ services }, { call }) {
    const { drafts } = await services.messages.getDrafts(call, {});
    return { count: drafts.length, drafts: drafts.map(publicDraft) };
  },
});
