import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

export const deleteSavedSnippet = endpoint({
  method: 'DELETE',
  path: '/saved_snippets/{saved_snippet_id}',
  summary: 'Delete a saved snippet',
  auth: 'user',
  parameters: { saved_snippet_id: pathId() },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { saved_snippet_id: savedSnippetId }) {
    await services.messages.deleteSavedSnippet(call, { savedSnippetId });
    return {};
  },
});
