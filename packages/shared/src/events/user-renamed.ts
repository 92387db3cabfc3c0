import type { Audience } from './audience';
import { declareEvent } from './declare-event';

export interface UserRenamed {
  userId: number;
  /** Those who know the user. */
  audience: Audience;
  fullName: string;
}

/** A user has another full name. Public event `realm_user`, for those who know the user. */
export const userRenamed = declareEvent<UserRenamed>()('user.renamed', [
  {
    type: 'realm_user',
    audience: ({ audience }) => audience,
    variant: () => '',
    render: ({ userId, fullName }) => ({
      type: 'realm_user',
      op: 'update',
      person: { user_id: userId, full_name: fullName },
    }),
  },
]);
