import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/parameters';
import { contentText, titleText } from './snippet-parameters';

export const createSavedSnippet = endpoint({
  method: 'POST',
  path: '/saved_snippets',
  summary: 'Save a snippet',
  auth: 'user',
  parameters: { title: text(titleText), content: text(contentText) },
  result: z.strictObject({ saved_snippet_id: z.int() }),
  errors: [],
  async handler({ services }, { call }, { title, content }) {
    const { savedSnippetId } = await services.messages.createSavedSnippet(call, { title, content });
    return { saved_snippet_id: savedSnippetId };
  },
});
