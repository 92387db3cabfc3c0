import type { User } from '../proto';
import type { Audience } from './audience';
import { declareEvent } from './declare-event';
import { avatarUpdate, personUpdate } from './person-update';

export interface EmailVisibilityChanged {
  userId: number;
  /** The account as it is now. */
  user: User;
  /** Those who see the real address from now on, and those who do no more; the user always does. */
  gainedByIds: number[];
  lostByIds: number[];
  /** Those who get to know that the API shows another address, which changes the picture's too; nobody when it does not. */
  audience: Audience;
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
  personUpdate(
    ({ audience }) => audience,
    ({ user }) => ({ new_email: user.email }),
  ),
  avatarUpdate(({ audience }) => audience),
]);
