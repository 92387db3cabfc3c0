import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError, RealmDeactivatedError } from '@parley/shared/errors';
import { realmFilled } from '@parley/shared/events';
import type { FillRealmRequest, FillRealmResponse } from '@parley/shared/proto';
import { SeededRandom } from '@parley/shared/values';
import { EMAIL_IS_UNIQUE } from '../accounts/users.sql';
import { isUniqueViolation } from '../base/unique-violation';
import { CHANNEL_NAME_IS_UNIQUE } from '../channel-access/channels.sql';
import type { Context } from '../context';
import { getRealm } from '../organization/change-organization';
import { lockRealm } from '../organization/realms.sql';
import { analyzeFilled, findFirstOwner } from './fill.sql';
import { fillChannels } from './fill-channels';
import { fillAccounts, fillGroups } from './fill-people';

const NAMES_ARE_UNIQUE = [...EMAIL_IS_UNIQUE, CHANNEL_NAME_IS_UNIQUE, 'user_group_name_is_unique'];

/**
 * Fills an organization with people, bots, channels, subscriptions, groups and profiles; the same seed creates the same data. People have keys, which
 * nobody knows, and were there within the last two weeks. For the operator's command. Clients are not notified: they must register again.
 */
export async function fillRealm(ctx: Context, request: FillRealmRequest): Promise<FillRealmResponse> {
  const size = sizeFromInput(request);
  const realm = await getRealm(ctx, request);
  if (realm.isDeactivated) throw new RealmDeactivatedError();
  try {
    const filled = await ctx.db.transaction((tx) => fillIn(tx, realm.id, ctx.clock.now(), size, request.seed));
    await analyzeFilled(ctx.db);
    return filled;
  } catch (error) {
    throw NAMES_ARE_UNIQUE.some((name) => isUniqueViolation(error, name)) ? alreadyFilled() : error;
  }
}

async function fillIn(
  tx: Transaction,
  realmId: number,
  nowMs: number,
  size: FillSize,
  seed: number,
): Promise<FillRealmResponse> {
  await lockRealm(tx, realmId);
  const ownerId = await findFirstOwner(tx, realmId);
  if (ownerId === null) throw new BadRequestError('The organization has no owner.');
  const filling: Filling = { realmId, ownerId, nowMs, size, random: new SeededRandom(seed) };
  const accounts = await fillAccounts(tx, filling);
  await fillGroups(tx, filling, accounts);
  const subscriptions = await fillChannels(tx, filling, accounts);
  await announce(tx, realmFilled(realmId, {}));
  return { realmId, users: accounts.length, channels: size.channels, groups: size.groups, subscriptions };
}

function alreadyFilled(): BadRequestError {
  return new BadRequestError(
    'Accounts, channels or groups of such names are there already: fill an organization once.',
  );
}

/** Parameters for filling an organization. */
export interface Filling {
  realmId: number;
  /** The creator of the channels and groups. */
  ownerId: number;
  nowMs: number;
  size: FillSize;
  random: SeededRandom;
}

/** The numbers of objects to create. */
interface FillSize {
  users: number;
  channels: number;
  groups: number;
  subscriptionsPerUser: number;
}

const LIMITS = { users: 100_000, channels: 20_000, groups: 5_000, subscriptionsPerUser: 1_000 };
const MAX_SUBSCRIPTIONS = 3_000_000;
const USERS_PER_GROUP = 200;
const SUBSCRIPTIONS_PER_USER = 20;

/** The requested sizes, with defaults for the others. */
function sizeFromInput({ users, channels, groups, subscriptionsPerUser }: FillRealmRequest): FillSize {
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
