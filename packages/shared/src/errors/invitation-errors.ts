import { REFUSAL } from '../texts/refusals';
import { BadRequestError, PublicError } from './errors';

/** An address that was not invited, the reason, and whether it has a deactivated account. */
export type SkippedAddress = [email: string, reason: string, isDeactivated: boolean];

interface InvitationFailure {
  skipped?: readonly SkippedAddress[];
  /** The other addresses were invited. */
  areOthersInvited?: boolean;
  isDailyLimitReached?: boolean;
}

/** Some addresses, or all, were not invited. */
export class InvitationFailedError extends PublicError {
  constructor(
    message: string,
    { skipped = [], areOthersInvited = false, isDailyLimitReached = false }: InvitationFailure = {},
  ) {
    super('INVITATION_FAILED', 400, message, {
      errors: skipped,
      sent_invitations: areOthersInvited,
      daily_limit_reached: isDailyLimitReached,
      // An organization may have as many accounts as it likes.
      license_limit_reached: false,
    });
  }
}

/** There is no such invitation, or not any more; from realm: its sender may not give it. */
export class NoSuchInvitationError extends BadRequestError {
  constructor() {
    super(REFUSAL.links.noInvitation);
  }
}
