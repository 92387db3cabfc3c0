import type { User } from '../proto';
import type { Audience } from './audience';
import { declareEvent } from './declare-event';
import { avatarUpdate, personUpdate } from './person-update';

export interface EmailChanged {
  userId: number;
  /** The account as it is now. */
  user: User;
  /** Those who see the real address. */
  seers: Audience;
  /** Those who get to know that the API shows another address, and another picture with it; nobody while it shows a made-up one. */
  audience: Audience;
}

/** A user has another real address. Public events `realm_user`: one for those who see it, and up to two for everybody. */
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
]);
