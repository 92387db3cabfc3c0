import type { Audience } from './audience';
import { declareEvent } from './declare-event';

export interface UserStatusChanged {
  userId: number;
  /** Those who know the user. */
  audience: Audience;
  /** Each is absent when it was not set; empty texts clear. */
  statusText?: string;
  emoji?: { name: string; code: string; reactionType: string };
  isAway?: boolean;
}

/** A user has set a status, perhaps to what it was. Public event `user_status`, for those who know the user. */
export const userStatusChanged = declareEvent<UserStatusChanged>()('user-status.changed', [
  {
    type: 'user_status',
    audience: ({ audience }) => audience,
    variant: () => '',
    render: ({ userId, statusText, emoji, isAway }) => ({
      type: 'user_status',
      user_id: userId,
      ...(isAway !== undefined && { away: isAway }),
      ...(statusText !== undefined && { status_text: statusText }),
      ...(emoji && { emoji_name: emoji.name, emoji_code: emoji.code, reaction_type: emoji.reactionType }),
    }),
  },
]);
