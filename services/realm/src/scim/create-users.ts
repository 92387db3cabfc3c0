import type { Transaction } from '@parley/shared/db';
import type { User } from '@parley/shared/proto';
import { isEmailAddress, ROLES } from '@parley/shared/values';
import { recordMade } from '../audit/with-audit';
import type { Context } from '../context';
import { openOutsideAccounts } from '../directory/outside-accounts';
import { lockRealm } from '../organization/realms.sql';
import { type Act, deedOf, type Resource, resourceOf } from './resource';
import { userDocument, type WantedUser } from './user-document';
import { findScimUsers, insertScimUsers, listTakenKeys } from './users.sql';

/** A wanted user, and the act that makes it. */
export interface WantedByAct {
  wanted: WantedUser;
  act: Act;
}

/** A new user with its address. */
interface Newcomer extends WantedByAct {
  email: string;
}

/**
 * Makes the users of several acts in as many statements as one; returns them by act. Those that are not plainly new, or not allowed, are left
 * out: create() makes them, or refuses them.
 */
export async function createUsers(
  ctx: Context,
  tx: Transaction,
  realmId: number,
  asked: readonly WantedByAct[],
): Promise<ReadonlyMap<Act, Resource>> {
  await lockRealm(tx, realmId);
  const newcomers = await plainlyNew(tx, realmId, asked);
  const people = newcomers.map(({ email, wanted }) => ({ email, fullName: wanted.fullName ?? wanted.userName }));
  const opened = await openOutsideAccounts(tx, { realmId, role: ROLES.member, people }, ctx.clock.now());
  const made = newcomers.flatMap((newcomer, index) => {
    const user = opened[index] as User | Error;
    return user instanceof Error ? [] : [{ ...newcomer, id: user.id }];
  });
  return made.length === 0 ? new Map() : store(ctx, tx, realmId, made);
}

/** Active ones with names and addresses that nobody has, none of them twice. */
async function plainlyNew(tx: Transaction, realmId: number, asked: readonly WantedByAct[]): Promise<Newcomer[]> {
  const possible = asked.flatMap((each) => {
    const { userName, email: address, isActive } = each.wanted;
    const email = address ?? userName;
    return isEmailAddress(email) && isActive !== false ? [{ ...each, email }] : [];
  });
  const taken = await listTakenKeys(tx, realmId, possible.flatMap(keysOf));
  return possible.filter((each) => {
    const keys = keysOf(each);
    if (keys.some((key) => taken.has(key))) return false;
    for (const key of keys) taken.add(key);
    return true;
  });
}

function keysOf({ wanted, email }: Newcomer): string[] {
  return [wanted.userName.toLowerCase(), email.toLowerCase()];
}

/** Stores the provider's names for the users; returns their resources, by act. */
async function store(
  ctx: Context,
  tx: Transaction,
  realmId: number,
  made: readonly (Newcomer & { id: number })[],
): Promise<Map<Act, Resource>> {
  const names = made.map(({ id: userId, wanted }) => ({ userId, ...wanted }));
  await insertScimUsers(tx, realmId, names);
  const deeds = made.map(({ id, act }) => ({ id, deed: deedOf(act) }));
  await recordMade(ctx, tx, { realmId, kind: 'user' }, deeds);
  const userIds = made.map(({ id }) => id);
  const rows = await findScimUsers(tx, realmId, userIds);
  const resourceOfId = new Map(rows.map((row) => [row.id, resourceOf(userDocument(row))]));
  return new Map(made.map(({ id, act }) => [act, resourceOfId.get(id) as Resource]));
}
