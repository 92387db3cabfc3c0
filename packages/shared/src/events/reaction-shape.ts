import type { Reaction, User } from '../proto';
import { unknownUser } from '../values';
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
    actorId: ({ user }) => user.id,
    variant: ({ isActorHidden }) => `${isActorHidden === true}`,
    render: ({ messageId, reaction, user }, { isActorHidden }) => ({
      type: 'reaction',
      op,
      user_id: user.id,
      // COMPAT(level 484): who that is, which clients know by the id.
      user: publicUser(isActorHidden ? unknownUser(0, user.id) : user),
      message_id: messageId,
      emoji_name: reaction.emojiName,
      emoji_code: reaction.emojiCode,
      reaction_type: reaction.reactionType,
    }),
  };
}

function publicUser({ id, email, fullName }: ReactionChanged['user']) {
  return { user_id: id, email, full_name: fullName };
}
