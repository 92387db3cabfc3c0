import type { User } from '../proto';
import { avatarUrl, mediumAvatarUrl } from '../wire';
import type { Audience } from './audience';
import { declareEvent, type PublicShape } from './declare-event';

export interface EmailVisibilityChanged {
  /** The account as it is now. */
  user: User;
  /** Those who see the real address from now on, and those who do no more; the user always does. */
  gainedByIds: number[];
  lostByIds: number[];
  /** Whether the address that the API shows is another one, which changes the picture's address too. */
  isEmailChanged: boolean;
}

/** Who sees a user's real address has changed. Public events `realm_user`: up to four, each for those it concerns. */
export const emailVisibilityChanged = declareEvent<EmailVisibilityChanged>()('email-visibility.changed', [
  personUpdate(
    ({ gainedByIds }) => ({ to: 'users', userIds: gainedByIds }),
    ({ user }) => ({ delivery_email: user.deliveryEmail }),
  ),
  personUpdate(
    ({ lostByIds }) => ({ to: 'users', userIds: lostByIds }),
    () => ({ delivery_email: null }),
  ),
  personUpdate(everybodyIfChanged, ({ user }) => ({ new_email: user.email })),
  personUpdate(everybodyIfChanged, ({ user }) => ({
    avatar_url: avatarUrl(user, false),
    avatar_url_medium: mediumAvatarUrl(user),
    avatar_source: user.avatarSource,
    avatar_version: user.avatarVersion,
  })),
]);

function everybodyIfChanged({ isEmailChanged }: EmailVisibilityChanged): Audience {
  return isEmailChanged ? { to: 'realm' } : { to: 'users', userIds: [] };
}

function personUpdate(
  audience: PublicShape<EmailVisibilityChanged>['audience'],
  changes: (payload: EmailVisibilityChanged) => Record<string, unknown>,
): PublicShape<EmailVisibilityChanged> {
  return {
    type: 'realm_user',
    audience,
    variant: () => '',
    render: (payload) => ({
      type: 'realm_user',
      op: 'update',
      person: { user_id: payload.user.id, ...changes(payload) },
    }),
  };
}
