import { declareEvent } from './declare-event';
import { type ReactionChanged, reactionShape } from './reaction-shape';

/** Somebody has reacted to a message. Public event `reaction`, for whoever has the message. */
export const reactionAdded = declareEvent<ReactionChanged>()('reaction.added', [reactionShape('add')]);
