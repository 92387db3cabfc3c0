import { declareEvent } from './declare-event';
import { type ReactionChanged, reactionShape } from './reaction-shape';

/** Somebody has taken a reaction back. Public event `reaction`, for whoever has the message. */
export const reactionRemoved = declareEvent<ReactionChanged>()('reaction.removed', [reactionShape('remove')]);
