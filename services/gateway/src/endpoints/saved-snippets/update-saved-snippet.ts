import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId, text } from '../../http/parameters';
import { contentText, titleText } from './snippet-parameters';

export const updateSavedSnippet = endpoint({
  method: 'PATCH',
  path: '/saved_snippets/{saved_snippet_id}',
  summary: 'Change a saved snippet',
  auth: 'user',
  parameters: { saved_snippet_id: pathId(), title: text(titleText.optional()), content: text(contentText.optional()) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { saved_snippet_id: savedSnippetId, title, content }) {
    await services.messages.updateSavedSnippet(call, {
      savedSnippetId,
      ...(title !== undefined && { title }),
      ...(content !== undefined && { content }),
    });
    return {};
  },
});
