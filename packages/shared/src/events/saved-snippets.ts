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

export interface SavedSnippetRemoved {
  userId: number;
  savedSnippetId: number;
}

/** A user has one saved snippet less. Public event `saved_snippets`, for that user. */
export const savedSnippetRemoved = declareEvent<SavedSnippetRemoved>()('saved-snippet.removed', [
  {
    type: 'saved_snippets',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ savedSnippetId }) => ({ type: 'saved_snippets', op: 'remove', saved_snippet_id: savedSnippetId }),
  },
]);
