import type { SavedSnippet } from '../proto';
import { publicSavedSnippet } from '../wire';
import { declareEvent } from './declare-event';

export interface SavedSnippetAdded {
  userId: number;
  savedSnippet: SavedSnippet;
}

/** A user has saved a snippet. Public event `saved_snippets`, for that user. */
export const savedSnippetAdded = declareEvent<SavedSnippetAdded>()('saved-snippet.added', [
  {
    type: 'saved_snippets',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ savedSnippet }) => ({
      type: 'saved_snippets',
      op: 'add',
      saved_snippet: publicSavedSnippet(savedSnippet),
    }),
  },
]);
