import type { Reaction, User } from '../proto';
import type { Audience } from './audience';
import type { PublicShape } from './declare-event';

export interface ReactionChanged {
  messageId: number;
  reaction: Reaction;
  /** Who reacted. */
  user: Pick<User, 'id' | 'email' | 'fullName'>;
  audience: Audience;
}

/** Public event `reaction`; used by the two events about reactions. */
export function reactionShape(op: 'add' | 'remove'): PublicShape<ReactionChanged> {
  return {
    type: 'reaction',
    audience: ({ audience }) => audience,
    variant: () => '',
    render: ({ messageId, reaction, user }) => ({
      type: 'reaction',
      op,
      user_id: user.id,
      // COMPAT(level 484): who that is, which clients know by the id.
      user: { user_id: user.id, email: user.email, full_name: user.fullName },
      message_id: messageId,
      emoji_name: reaction.emojiName,
      emoji_code: reaction.emojiCode,
      reaction_type: reaction.reactionType,
    }),
  };
}
