import { declareEvent } from './declare-event';

export interface UserRenamed {
  userId: number;
  fullName: string;
}

/** A user has another full name. Public event `realm_user`, for everybody. */
export const userRenamed = declareEvent<UserRenamed>()('user.renamed', [
  {
    type: 'realm_user',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ userId, fullName }) => ({
      type: 'realm_user',
      op: 'update',
      person: { user_id: userId, full_name: fullName },
    }),
  },
]);
