import type { User } from '@parley/shared/proto';

/** A user, as far as permissions go. */
export interface Actor {
  user: User;
  /** A member whose waiting period is over, or more than a member. */
  isFullMember: boolean;
  /** Every group the user is in, at any depth: named, anonymous and system groups. */
  groupIds: ReadonlySet<number>;
}
