import type { SavedSnippet } from '../proto';
import { publicSavedSnippet } from '../wire';
import { declareEvent } from './declare-event';

export interface SavedSnippetChanged {
  userId: number;
  savedSnippet: SavedSnippet;
}

/** A user has changed a saved snippet. Public event `saved_snippets`, for that user. */
export const savedSnippetChanged = declareEvent<SavedSnippetChanged>()('saved-snippet.changed', [
  {
    type: 'saved_snippets',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ savedSnippet }) => ({
      type: 'saved_snippets',
      op: 'update',
      saved_snippet: publicSavedSnippet(savedSnippet),
    }),
  },
]);
