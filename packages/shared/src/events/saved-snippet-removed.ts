import { declareEvent } from './declare-event';

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
