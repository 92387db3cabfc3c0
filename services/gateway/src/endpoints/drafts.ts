import { publicDraft } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { requestKeyOf } from '../http/idempotency-key';
import { json, pathId } from '../http/parameters';
import { draftFromWire, draftInputSchema, draftSchema } from '../wire/unsent';

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

export const createDrafts = endpoint({
  method: 'POST',
  path: '/drafts',
  summary: 'Keep drafts: all of them, or none',
  auth: 'user',
  // SPEC-GAP: documented as optional; without drafts the request does nothing.
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
