import type { User } from '../proto';
import { UNKNOWN_USER_NAME } from '../values';
import { publicAvatar } from '../wire';
import type { Audience } from './audience';
import type { PublicShape } from './declare-event';

/** The public event `realm_user` that tells of one thing that is different about a user; for declarations of such events. */
export function personUpdate<Payload extends { userId: number }>(
  audience: (payload: Payload) => Audience,
  change: (payload: Payload) => Record<string, unknown>,
): PublicShape<Payload> {
  return {
    type: 'realm_user',
    audience,
    variant: () => '',
    render: (payload) => ({
      type: 'realm_user',
      op: 'update',
      person: { user_id: payload.userId, ...change(payload) },
    }),
  };
}

/** The same for a picture: always by its address, also for clients that could compute it. */
export function avatarUpdate<Payload extends { userId: number; user: User }>(
  audience: (payload: Payload) => Audience,
): PublicShape<Payload> {
  return personUpdate(audience, ({ user }) => publicAvatar(user));
}

/** The public event `realm_user` that tells guests that they know a user no more. */
export function personRemoval<Payload extends { userId: number }>(
  receiverIds: (payload: Payload) => readonly number[],
): PublicShape<Payload> {
  return {
    type: 'realm_user',
    audience: (payload) => ({ to: 'users', userIds: receiverIds(payload) }),
    variant: () => '',
    render: ({ userId }) => ({
      type: 'realm_user',
      op: 'remove',
      person: { user_id: userId, full_name: UNKNOWN_USER_NAME },
    }),
  };
}
