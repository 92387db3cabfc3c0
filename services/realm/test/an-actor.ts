import { ROLES } from '@parley/shared/values';
import type { Actor } from '../src/actors/actor';

interface Wanted {
  id?: number;
  role?: number;
  isBot?: boolean;
  isActive?: boolean;
  groupIds?: readonly number[];
}

/** An actor for tables of permissions; by default an active member in no group. */
export function anActor({ groupIds = [], ...wanted }: Wanted = {}): Actor {
  const user = {
    id: 7,
    realmId: 1,
    email: 'user7@example.com',
    deliveryEmail: 'user7@example.com',
    fullName: 'User',
    role: ROLES.member,
    isBot: false,
    isActive: true,
    timezone: '',
    avatarSource: 'G',
    avatarVersion: 1,
    emailAddressVisibility: 1,
    joinedAtMs: 0,
    ...wanted,
  };
  return { user, isFullMember: user.role <= ROLES.member, groupIds: new Set(groupIds) };
}
