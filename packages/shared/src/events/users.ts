import type { ProfileValue, User, UserStatus } from '../proto';
import { UNKNOWN_USER_NAME, unknownUser } from '../values';
import { publicAvatar, publicUser } from '../wire';
import type { Audience } from './audience';
import { type ClientView, declareEvent, type PublicShape } from './declare-event';

// Accounts: their creation and end, their role, and their visibility to guests.

interface Addition {
  user: User;
  /** Absent: empty. */
  profile?: readonly ProfileValue[];
}

/** The public event `realm_user` that adds a user, with or without the real address. */
function personAddition<Payload extends Addition>(
  audience: (payload: Payload) => Audience,
  isDeliveryEmailShown: boolean,
): PublicShape<Payload> {
  return {
    type: 'realm_user',
    audience,
    variant: ({ clientGravatar }) => String(clientGravatar),
    render: (payload, view) => ({ type: 'realm_user', op: 'add', person: person(payload, view, isDeliveryEmailShown) }),
  };
}

function person({ user, profile = [] }: Addition, { clientGravatar }: ClientView, isDeliveryEmailShown: boolean) {
  return publicUser(user, { isDeliveryEmailShown, clientGravatar, isActivityShown: true }, profile);
}

/** The public event `realm_user` for one changed property of a user; for declarations of such events. */
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

/** The public event `realm_user` that removes a user for guests who can no longer see them. */
function personRemoval<Payload extends { userId: number }>(
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

interface WithStatus {
  /** Absent: none, and the user is not away. */
  status?: UserStatus | undefined;
}

/** The public event `user_status`; absent members are unchanged. */
export function statusUpdate({ userId, statusText, emoji, isAway }: Partial<UserStatus>) {
  return {
    type: 'user_status',
    user_id: userId,
    ...(isAway !== undefined && { away: isAway }),
    ...(statusText !== undefined && { status_text: statusText }),
    ...(emoji && { emoji_name: emoji.name, emoji_code: emoji.code, reaction_type: emoji.reactionType }),
  };
}

/** The public event `user_status` of a user who appears, if they have a status. */
function shownStatus<Payload extends WithStatus>(audience: (payload: Payload) => Audience): PublicShape<Payload> {
  return {
    type: 'user_status',
    audience,
    isFor: ({ status }) => status !== undefined,
    variant: () => '',
    render: ({ status }) => {
      const { userId, statusText, emoji, isAway } = status as UserStatus;
      return statusUpdate({ userId, ...(statusText !== '' && { statusText }), emoji, ...(isAway && { isAway }) });
    },
  };
}

export interface UserCreated {
  user: User;
  /** Users who may see the user, with and without the real address. */
  seers: Audience;
  others: Audience;
  /** Guests who cannot see the user. */
  strangerIds: number[];
}

/**
 * An account was created. Public event `realm_user`, for everybody: guests who cannot see the user get an unknown one, unless
 * their client does not need it.
 */
export const userCreated = declareEvent<UserCreated>()('user.created', [
  personAddition(({ seers }) => seers, true),
  personAddition(({ others }) => others, false),
  {
    type: 'realm_user',
    audience: ({ strangerIds }) => ({ to: 'users', userIds: strangerIds }),
    isFor: (_payload, { capabilities }) => !capabilities.includes('user_list_incomplete'),
    variant: () => '',
    render: ({ user }) => ({
      type: 'realm_user',
      op: 'add',
      person: publicUser(
        unknownUser(user.realmId, user.id),
        { isDeliveryEmailShown: false, clientGravatar: false, isActivityShown: true },
        [],
      ),
      inaccessible_user: true,
    }),
  },
]);

export interface UserDeactivated {
  userId: number;
  isBot: boolean;
  /** Users who may still see the user. */
  audience: Audience;
  /** Guests who can no longer see the user. */
  lostByIds: number[];
  /** For a bot: its owner and the organization's administrators. */
  managerIds: number[];
}

/**
 * An account was deactivated: its keys and queues are deleted, its subscriptions are suspended. Public events `realm_user`, for
 * everybody, and `realm_bot`.
 */
export const userDeactivated = declareEvent<UserDeactivated>()('user.deactivated', [
  personUpdate(
    ({ audience }) => audience,
    () => ({ is_active: false }),
  ),
  personRemoval(({ lostByIds }) => lostByIds),
  {
    type: 'realm_bot',
    audience: ({ managerIds }) => ({ to: 'users', userIds: managerIds }),
    variant: () => '',
    render: ({ userId }) => ({ type: 'realm_bot', op: 'update', bot: { user_id: userId, is_active: false } }),
  },
]);

export interface UserReactivated extends WithStatus {
  userId: number;
  audience: Audience;
  /** Of a bot: its owner, and the people who administer the organization. */
  managerIds: number[];
}

/** An account was reactivated. Public events `realm_user` and `user_status`, for users who may see the user, and `realm_bot`. */
export const userReactivated = declareEvent<UserReactivated>()('user.reactivated', [
  personUpdate(
    ({ audience }) => audience,
    () => ({ is_active: true }),
  ),
  shownStatus(({ audience }) => audience),
  {
    type: 'realm_bot',
    audience: ({ managerIds }) => ({ to: 'users', userIds: managerIds }),
    variant: () => '',
    render: ({ userId }) => ({ type: 'realm_bot', op: 'update', bot: { user_id: userId, is_active: true } }),
  },
]);

export interface UserRoleChanged {
  userId: number;
  role: number;
  audience: Audience;
  /**
   * Queues of the user to end, because their visibility has changed since they were created: their clients have to
   * register again. `wide`: those for all public channels.
   */
  endsQueues: 'all' | 'wide' | 'none';
}

/** A user's role has changed. Public event `realm_user`, for users who may see the user. */
export const userRoleChanged = declareEvent<UserRoleChanged>()('user.role-changed', [
  personUpdate(
    ({ audience }) => audience,
    ({ role }) => ({ role }),
  ),
]);

export interface UserMet extends WithStatus {
  user: User;
  /** Absent: empty. */
  profile?: readonly ProfileValue[];
  /** The receivers with and without access to the real address. */
  seerIds: number[];
  otherIds: number[];
}

/** Guests may see a user who was hidden from them. Public events `realm_user` and `user_status`, for those guests. */
export const userMet = declareEvent<UserMet>()('user.met', [
  personAddition(({ seerIds: userIds }) => ({ to: 'users', userIds }), true),
  personAddition(({ otherIds: userIds }) => ({ to: 'users', userIds }), false),
  shownStatus(({ seerIds, otherIds }) => ({ to: 'users', userIds: [...seerIds, ...otherIds] })),
]);

export interface UserLost {
  userId: number;
  guestIds: number[];
}

/** A user became hidden from guests. Public event `realm_user`, for those guests. */
export const userLost = declareEvent<UserLost>()('user.lost', [personRemoval(({ guestIds }) => guestIds)]);

export interface PersonJoined {
  userId: number;
  /** The channels of a new account. */
  channelIds: readonly number[];
}

/** A new person joined the organization and its channels; the messages service gives them the recent messages. */
export const personJoined = declareEvent<PersonJoined>()('person.joined', []);

export interface GuestRestrictionChanged {
  /** All active guests: their queues end with this event, because other users are visible to them now. */
  guestIds: number[];
}

/** Guests of an organization can now see only bots and the users they meet, or everybody again. */
export const guestRestrictionChanged = declareEvent<GuestRestrictionChanged>()('guest-restriction.changed', []);

export interface ApiKeyRevoked {
  userId: number;
  keyIds: number[];
}

/** Keys of an account were revoked. */
export const apiKeyRevoked = declareEvent<ApiKeyRevoked>()('api-key.revoked', []);
