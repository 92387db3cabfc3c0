import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';
import { draftFromWire, draftInputSchema } from '../../wire/draft';

export const createDrafts = endpoint({
  method: 'POST',
  path: '/drafts',
  summary: 'Keep drafts: all of them, or none',
  auth: 'user',
  // SPEC-GAP: optional in the API's description; nothing to keep is no mistake.
  parameters: { drafts: json(z.array(draftInputSchema).default([])) },
  result: z.strictObject({ ids: z.array(z.int()).describe('In the order of the drafts.') }),
  errors: [],
  async handler({ services }, { call }, { drafts }) {
    const { draftIds } = await services.messages.createDrafts(call, { drafts: drafts.map(draftFromWire) });
    return { ids: draftIds };
  },
});
