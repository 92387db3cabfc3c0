import type { SavedSnippet } from '../proto';
import { publicSavedSnippet } from '../wire';
import { declareEvent } from './declare-event';

export interface SavedSnippetAdded {
  userId: number;
  savedSnippet: SavedSnippet;
}

/** A snippet was saved. Public event `saved_snippets`, for its user. */
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

/** A saved snippet was changed. Public event `saved_snippets`, for its user. */
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

/** A saved snippet was deleted. Public event `saved_snippets`, for its user. */
export const savedSnippetRemoved = declareEvent<SavedSnippetRemoved>()('saved-snippet.removed', [
  {
    type: 'saved_snippets',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ savedSnippetId }) => ({ type: 'saved_snippets', op: 'remove', saved_snippet_id: savedSnippetId }),
  },
]);
