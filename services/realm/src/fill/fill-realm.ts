import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError, RealmDeactivatedError } from '@parley/shared/errors';
import { realmFilled } from '@parley/shared/events';
import type { FillRealmRequest, FillRealmResponse } from '@parley/shared/proto';
import { SeededRandom } from '@parley/shared/values';
import { CHANNEL_NAME_IS_UNIQUE } from '../channels/channels.sql';
import type { Context } from '../context';
import { getRealm } from '../realms/get-realm';
import { lockRealm } from '../realms/lock-realm.sql';
import { isUniqueViolation } from '../unique-violation';
import { EMAIL_IS_UNIQUE } from '../users/users.sql';
import { analyzeFilled, findFirstOwner } from './fill.sql';
import { fillAccounts } from './fill-accounts';
import { fillChannels } from './fill-channels';
import { fillGroups } from './fill-groups';
import { type FillSize, sizeFromInput } from './fill-size';
import type { Filling } from './filling';

const NAMES_ARE_UNIQUE = [...EMAIL_IS_UNIQUE, CHANNEL_NAME_IS_UNIQUE, 'user_group_name_is_unique'];

/**
 * Fills an organization with people, bots, channels, subscriptions, groups and profiles; the same seed makes the same. For the
 * operator's command. Clients are not told what there is now: they have to register anew.
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
