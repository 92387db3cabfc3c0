import type { Draft } from '../proto';
import { publicDraft } from '../wire';
import { declareEvent } from './declare-event';

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
