import type { Reaction, Submessage, User } from '../proto';
import { unknownUser } from '../values';
import type { Audience } from './audience';
import { declareEvent, type PublicShape } from './declare-event';

/** A reaction was added. Public event `reaction`, for all who have the message. */
export const reactionAdded = declareEvent<ReactionChanged>()('reaction.added', [reactionShape('add')]);

/** A reaction was removed. Public event `reaction`, for all who have the message. */
export const reactionRemoved = declareEvent<ReactionChanged>()('reaction.removed', [reactionShape('remove')]);

export interface ReactionChanged {
  messageId: number;
  reaction: Reaction;
  /** The user who reacted. */
  user: Pick<User, 'id' | 'email' | 'fullName'>;
  audience: Audience;
}

/** Public event `reaction`; used by the two events about reactions. */
function reactionShape(op: 'add' | 'remove'): PublicShape<ReactionChanged> {
  return {
    type: 'reaction',
    audience: ({ audience }) => audience,
    actorId: ({ user }) => user.id,
    variant: ({ isActorHidden }) => `${isActorHidden === true}`,
    render: ({ messageId, reaction, user }, { isActorHidden }) => ({
      type: 'reaction',
      op,
      user_id: user.id,
      // COMPAT(level 484): the user, whom newer clients know by the id.
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

export interface SubmessageAdded {
  submessage: Submessage;
  audience: Audience;
}

/** A widget was used, for instance by a vote in a poll. Public event `submessage`, for all who have the message. */
export const submessageAdded = declareEvent<SubmessageAdded>()('submessage.added', [
  {
    type: 'submessage',
    audience: ({ audience }) => audience,
    variant: () => '',
    render: ({ submessage }) => ({
      type: 'submessage',
      msg_type: submessage.msgType,
      message_id: submessage.messageId,
      submessage_id: submessage.id,
      sender_id: submessage.senderId,
      content: submessage.content,
    }),
  },
]);
