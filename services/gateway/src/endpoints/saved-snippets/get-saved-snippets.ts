import { publicSavedSnippet } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { savedSnippetSchema } from '../../wire/saved-snippet';

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
