import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, pathId } from '../../http/parameters';
import { draftFromWire, draftInputSchema } from '../../wire/draft';

export const updateDraft = endpoint({
  method: 'PATCH',
  path: '/drafts/{draft_id}',
  summary: 'Replace a draft',
  auth: 'user',
  parameters: { draft_id: pathId(), draft: json(draftInputSchema) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { draft_id: draftId, draft }) {
    await services.messages.updateDraft(call, { draftId, draft: draftFromWire(draft) });
    return {};
  },
});
