import type { User } from '../proto';
import { avatarUrl } from '../wire';
import type { Audience } from './audience';
import { declareEvent, type PublicShape } from './declare-event';
import { avatarUpdate, personUpdate, statusUpdate } from './users';

// Events of users' profiles, for users who may see them.

interface OfBot {
  userId: number;
  managerIds?: number[];
}

/** The public event `realm_bot` for a property of the account, for the managers of a bot. */
function botUpdate<Payload extends OfBot>(change: (payload: Payload) => Record<string, unknown>): PublicShape<Payload> {
  return {
    type: 'realm_bot',
    audience: ({ managerIds = [] }) => ({ to: 'users', userIds: managerIds }),
    variant: () => '',
    render: (payload) => ({ type: 'realm_bot', op: 'update', bot: { user_id: payload.userId, ...change(payload) } }),
  };
}

export interface UserRenamed {
  userId: number;
  /** Users who may see the user. */
  audience: Audience;
  fullName: string;
  /** For a bot: its owner and the organization's administrators. Absent in events of earlier versions. */
  managerIds?: number[];
}

/** A user's full name has changed. Public events `realm_user`, for users who may see the user, and `realm_bot`. */
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
  botUpdate(({ fullName }) => ({ full_name: fullName })),
]);

export interface AvatarChanged {
  userId: number;
  /** The account as it is now. */
  user: User;
  audience: Audience;
  /** For a bot: its owner and the organization's administrators. */
  managerIds: number[];
}

/** A user's picture has changed. Public events `realm_user`, for users who may see the user, and `realm_bot`. */
export const avatarChanged = declareEvent<AvatarChanged>()('avatar.changed', [
  avatarUpdate(({ audience }) => audience),
  botUpdate(({ user }) => ({ avatar_url: avatarUrl(user, false) })),
]);

export interface EmailChanged {
  userId: number;
  /** The account as it is now. */
  user: User;
  /** Users who may see the real address. */
  seers: Audience;
  /** Users for whom the address shown by the API changes, and the picture with it; none while it shows a dummy address. */
  audience: Audience;
  /** For a bot: its owner and the organization's administrators. Absent in events of earlier versions. */
  managerIds?: number[];
}

/**
 * A user's real address has changed. Public events `realm_user`: one for users who may see it, and up to two for everybody; and `realm_bot`.
 */
export const emailChanged = declareEvent<EmailChanged>()('email.changed', [
  personUpdate(
    ({ seers }) => seers,
    ({ user }) => ({ delivery_email: user.deliveryEmail }),
  ),
  personUpdate(
    ({ audience }) => audience,
    ({ user }) => ({ new_email: user.email }),
  ),
  avatarUpdate(({ audience }) => audience),
  botUpdate(({ user }) => ({ email: user.email })),
]);

export interface EmailVisibilityChanged {
  userId: number;
  /** The account as it is now. */
  user: User;
  /** Users who gain or lose access to the real address; the user always has it. */
  gainedByIds: number[];
  lostByIds: number[];
  /** Users for whom the address shown by the API changes, and the picture with it; none when it does not change. */
  audience: Audience;
}

/** Other users than before see a user's real address. Public events `realm_user`: up to four, each for those it concerns. */
export const emailVisibilityChanged = declareEvent<EmailVisibilityChanged>()('email-visibility.changed', [
  personUpdate(
    ({ gainedByIds }) => ({ to: 'users', userIds: gainedByIds }),
    ({ user }) => ({ delivery_email: user.deliveryEmail }),
  ),
  personUpdate(
    ({ lostByIds }) => ({ to: 'users', userIds: lostByIds }),
    () => ({ delivery_email: null }),
  ),
  personUpdate(
    ({ audience }) => audience,
    ({ user }) => ({ new_email: user.email }),
  ),
  avatarUpdate(({ audience }) => audience),
]);

export interface ProfileValueChanged {
  userId: number;
  /** Users who may see the user. */
  audience: Audience;
  fieldId: number;
  /** Null: the value was removed. */
  value: string | null;
  /** HTML; for text fields only. */
  renderedValue?: string;
}

/** A custom profile field of a user has changed. Public event `realm_user`, for users who may see the user. */
export const profileValueChanged = declareEvent<ProfileValueChanged>()('profile-value.changed', [
  {
    type: 'realm_user',
    audience: ({ audience }) => audience,
    variant: () => '',
    render: ({ userId, fieldId, value, renderedValue }) => ({
      type: 'realm_user',
      op: 'update',
      person: {
        user_id: userId,
        // Without a rendering the member is absent.
        custom_profile_field: { id: fieldId, value, rendered_value: renderedValue },
      },
    }),
  },
]);

export interface UserStatusChanged {
  userId: number;
  /** Users who may see the user. */
  audience: Audience;
  /** Each is absent if unchanged; empty texts clear. */
  statusText?: string;
  emoji?: { name: string; code: string; reactionType: string };
  isAway?: boolean;
}

/** A user has set a status, perhaps the same one. Public event `user_status`, for users who may see the user. */
export const userStatusChanged = declareEvent<UserStatusChanged>()('user-status.changed', [
  {
    type: 'user_status',
    audience: ({ audience }) => audience,
    variant: () => '',
    render: statusUpdate,
  },
]);
