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
