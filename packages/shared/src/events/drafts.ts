import type { Draft } from '../proto';
import { publicDraft } from '../wire';
import { declareEvent } from './declare-event';

export interface DraftsAdded {
  userId: number;
  drafts: Draft[];
}

/** A user has more drafts. Public event `drafts`, for that user. */
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

/** A user has replaced a draft. Public event `drafts`, for that user. */
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

/** A user has one draft less. Public event `drafts`, for that user. */
export const draftRemoved = declareEvent<DraftRemoved>()('draft.removed', [
  {
    type: 'drafts',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ draftId }) => ({ type: 'drafts', op: 'remove', draft_id: draftId }),
  },
]);
