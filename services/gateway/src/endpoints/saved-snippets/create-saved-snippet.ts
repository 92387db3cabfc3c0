import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { requestKeyOf } from '../../http/idempotency-key';
import { text } from '../../http/parameters';
import { contentText, titleText } from './snippet-parameters';

export const createSavedSnippet = endpoint({
  method: 'POST',
  path: '/saved_snippets',
  summary: 'Save a snippet',
  auth: 'user',
  parameters: { title: text(titleText), content: text(contentText) },
  result: z.strictObject({ saved_snippet_id: z.int() }),
  errors: ['IDEMPOTENCY_KEY_REUSED'],
  async handler({ services }, request, { title, content }) {
    const snippet = { title, content, idempotencyKey: requestKeyOf(request) };
    const { savedSnippetId } = await services.messages.createSavedSnippet(request.call, snippet);
    return { saved_snippet_id: savedSnippetId };
  },
});
