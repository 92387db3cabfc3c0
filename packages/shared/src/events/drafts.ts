import type { Draft } from '../proto';
import { publicDraft } from '../wire';
import { declareEvent } from './declare-event';

export interface DraftsAdded {
  userId: number;
  drafts: Draft[];
}

/** Drafts were added. Public event `drafts`, for their user. */
export const draftsAdded = declareEvent<DraftsAdded>()('drafts.added', [
  {
    type: 'drafts',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ drafts }) => ({ type: 'drafts', op: 'add', drafts: drafts.map(publicDraft) }),
  },
]);

export interface DraftChanged {
  userId: number;
  draft: Draft;
}

/** A draft was replaced. Public event `drafts`, for its user. */
export const draftChanged = declareEvent<DraftChanged>()('draft.changed', [
  {
    type: 'drafts',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ draft }) => ({ type: 'drafts', op: 'update', draft: publicDraft(draft) }),
  },
]);

export interface DraftRemoved {
  userId: number;
  draftId: number;
}

/** A draft was deleted. Public event `drafts`, for its user. */
export const draftRemoved = declareEvent<DraftRemoved>()('draft.removed', [
  {
    type: 'drafts',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ draftId }) => ({ type: 'drafts', op: 'remove', draft_id: draftId }),
  },
]);
