import { LIMITS } from '@parley/shared/values';
import { publicSavedSnippet } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { requestKeyOf } from '../http/idempotency-key';
import { boundedText, pathId, text } from '../http/parameters';
import { savedSnippetSchema } from '../wire/unsent';

/** Surrounding blanks do not count. */
function trimmedText(limit: number) {
  return z.string().trim().min(1).pipe(boundedText(limit));
}

const titleText = trimmedText(LIMITS.savedSnippetTitleLength);
const contentText = trimmedText(LIMITS.messageLength);

export const getSavedSnippets = endpoint({
  method: 'GET',
  path: '/saved_snippets',
  summary: "Get the caller's saved snippets",
  auth: 'user',
  parameters: {},
  result: z.strictObject({ saved_snippets: z.array(savedSnippetSchema) }),
  errors: [],
  async handler({ services }, { call }) {
    const { savedSnippets } = await services.messages.getSavedSnippets(call, {});
    return { saved_snippets: savedSnippets.map(publicSavedSnippet) };
  },
});

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
