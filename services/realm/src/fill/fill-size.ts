import { BadRequestError } from '@parley/shared/errors';
import type { FillRealmRequest } from '@parley/shared/proto';

/** How much an organization is filled with. */
export interface FillSize {
  users: number;
  channels: number;
  groups: number;
  subscriptionsPerUser: number;
}

const LIMITS = { users: 100_000, channels: 20_000, groups: 5_000, subscriptionsPerUser: 1_000 };
const MAX_SUBSCRIPTIONS = 3_000_000;
const USERS_PER_GROUP = 200;
const SUBSCRIPTIONS_PER_USER = 20;

/** The sizes asked for, and those that were left open. */
export function sizeFromInput({ users, channels, groups, subscriptionsPerUser }: FillRealmRequest): FillSize {
  const size = {
    users,
    channels,
    groups: groups ?? Math.ceil(users / USERS_PER_GROUP),
    subscriptionsPerUser: subscriptionsPerUser ?? Math.min(channels, SUBSCRIPTIONS_PER_USER),
  };
  for (const [name, limit] of Object.entries(LIMITS)) {
    if (size[name as keyof FillSize] > limit) throw new BadRequestError(`Too many ${name} (limit: ${limit})`);
  }
  if (users < 1) throw new BadRequestError('An organization is filled with at least one user.');
  if (users * size.subscriptionsPerUser > MAX_SUBSCRIPTIONS) {
    throw new BadRequestError(`Too many subscriptions (limit: ${MAX_SUBSCRIPTIONS})`);
  }
  return size;
}
