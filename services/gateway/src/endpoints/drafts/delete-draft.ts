import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

export const deleteDraft = endpoint({
  method: 'DELETE',
  path: '/drafts/{draft_id}',
  summary: 'Delete a draft',
  auth: 'user',
  parameters: { draft_id: pathId() },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { draft_id: draftId }) {
    await services.messages.deleteDraft(call, { draftId });
    return {};
  },
});
