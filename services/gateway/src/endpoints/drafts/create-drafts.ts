import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { requestKeyOf } from '../../http/idempotency-key';
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
  errors: ['IDEMPOTENCY_KEY_REUSED'],
  async handler({ services }, request, { drafts }) {
    const { draftIds } = await services.messages.createDrafts(request.call, {
      drafts: drafts.map(draftFromWire),
      idempotencyKey: requestKeyOf(request),
    });
    return { ids: draftIds };
  },
});
