import { declareEvent } from './declare-event';

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
