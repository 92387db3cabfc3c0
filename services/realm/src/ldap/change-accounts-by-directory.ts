import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { DomainEvent } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { isEmailAddress } from '@parley/shared/values';
import { findUser, findUsersByIds, giveUpAddresses, giveUpNames } from '../accounts/users.sql';
import { appendEntries } from '../audit/chain';
import type { Context } from '../context';
import { followOutsideRole } from '../directory/outside-accounts';
import { togetherOrAlone } from '../directory/together-or-alone';
import { lockRealm } from '../organization/realms.sql';
import { changeEmail } from '../people/change-email';
import { changeFullName, checkNameIsFree } from '../people/full-name';
import { deactivateAccount, isLastOwner } from '../users/deactivate-user';
import { reactivateAccount } from '../users/reactivate-user';
import type { RoleState } from './group-rules';
import { type Identity, storeGivenRole, storeLeaving } from './identities.sql';
import { type DirectoryPerson, isNamed } from './people';
import type { Known } from './plan-groups';

/** An organization's directory at work. */
export interface Place {
  ctx: Context;
  realmId: number;
  requestId: string;
}

/** Deactivates the account of an entry that is gone; the last owner stays. */
export function endAccount(place: Place, { userId }: Identity): Promise<'deactivated' | null> {
  return change(place, userId, async (tx, user) => {
    const { ctx, realmId } = place;
    if (!user.isActive) return null;
    if (await isLastOwner(tx, user)) throw new BadRequestError('The last owner of the organization stays.');
    await deactivateAccount(ctx, tx, realmId, userId);
    await storeLeaving(tx, realmId, userId, ctx.clock.now());
    await record(place, tx, 'deactivated', userId, { before: { is_active: true }, after: { is_active: false } });
    return 'deactivated';
  });
}

/** Reactivates the account of an entry that is there again, unless it was reactivated meanwhile. */
export function resumeAccount(place: Place, { userId }: Identity): Promise<'reactivated' | null> {
  return change(place, userId, async (tx, user) => {
    if (user.isActive) return null;
    await reactivateAccount(place.ctx, tx, user);
    await storeLeaving(tx, place.realmId, userId, null);
    await record(place, tx, 'reactivated', userId, { before: { is_active: false }, after: { is_active: true } });
    return 'reactivated';
  });
}

/** More accounts do not change together: bounds how long the organization's row is locked. */
const MAX_EXCHANGE = 200;

/**
 * Gives accounts the names and addresses of their entries, all in one transaction, so that they may exchange them. Where that is refused, each
 * account follows alone if it can. Returns whether each has changed, or why it was refused.
 */
export function followEntries(place: Place, set: readonly Known[]): Promise<({ isChanged: boolean } | Error)[]> {
  return togetherOrAlone(
    set,
    async (some) => (some.length > MAX_EXCHANGE ? [] : followTogether(place, some)),
    async (each) => (await followTogether(place, [each]))[0] as { isChanged: boolean },
  );
}

function followTogether({ ctx, ...place }: Place, set: readonly Known[]): Promise<{ isChanged: boolean }[]> {
  return ctx.db.transaction(async (tx) => {
    await lockRealm(tx, place.realmId);
    const found = await findUsersByIds(
      tx,
      place.realmId,
      set.map(({ identity }) => identity.userId),
    );
    const users = new Map(found.map((user) => [user.id, user]));
    if (set.length > 1) await giveUp(tx, place.realmId, set, users);
    const done: { isChanged: boolean }[] = [];
    for (const { identity, person } of set) {
      const user = users.get(identity.userId);
      done.push({ isChanged: user !== undefined && (await followEntry({ ctx, ...place }, tx, user, person)) });
    }
    return done;
  });
}

/** In this transaction the addresses and names that change are nobody's. */
async function giveUp(
  tx: Transaction,
  realmId: number,
  set: readonly Known[],
  users: ReadonlyMap<number, User>,
): Promise<void> {
  const pairs = set.flatMap(({ identity, person }) => {
    const user = users.get(identity.userId);
    return user ? [{ user, person }] : [];
  });
  const moved = pairs.filter(({ user, person }) => isReaddressed(user, person));
  const renamed = pairs.filter(({ user, person }) => isRenamed(user, person));
  await giveUpAddresses(
    tx,
    realmId,
    moved.map(({ user }) => user.id),
  );
  await giveUpNames(
    tx,
    realmId,
    renamed.map(({ user }) => user.id),
  );
}

async function followEntry(place: Place, tx: Transaction, user: User, person: DirectoryPerson): Promise<boolean> {
  const events: DomainEvent[] = [...(await rename(tx, user, person)), ...(await readdress(tx, user, person))];
  if (events.length === 0) return false;
  const after = await findUser(tx, place.realmId, user.id);
  await announce(tx, ...events);
  await record(place, tx, 'changed', user.id, { before: namesOf(user), after: namesOf(after as User) });
  return true;
}

/** Gives an account the role that the directory decides; throws BAD_REQUEST if the organization would lose its last owner. */
export function followRole(
  place: Place,
  { userId }: Pick<Identity, 'userId'>,
  { role, givenRole }: RoleState,
): Promise<'changed' | null> {
  return change(place, userId, async (tx, user) => {
    const { ctx, realmId } = place;
    const hasRole = await followOutsideRole(tx, user, role, ctx.clock.now());
    if (!hasRole) throw new BadRequestError('The last owner of the organization stays one.');
    await storeGivenRole(tx, realmId, userId, givenRole);
    if (user.role === role) return null;
    await record(place, tx, 'changed', userId, { before: { role: user.role }, after: { role } });
    return 'changed';
  });
}

function isRenamed(user: User, { fullName }: DirectoryPerson): boolean {
  return fullName !== '' && !isNamed(user.fullName, fullName);
}

async function rename(tx: Transaction, user: User, person: DirectoryPerson): Promise<DomainEvent[]> {
  if (!isRenamed(user, person)) return [];
  await checkNameIsFree(tx, user.realmId, person.fullName, user.id);
  return changeFullName(tx, user, person.fullName);
}

function isReaddressed(user: User, { email }: DirectoryPerson): boolean {
  return isEmailAddress(email) && email !== user.deliveryEmail;
}

async function readdress(tx: Transaction, user: User, person: DirectoryPerson): Promise<DomainEvent[]> {
  if (!isReaddressed(user, person)) return [];
  return changeEmail(tx, { ...user, fullName: person.fullName || user.fullName }, person.email);
}

function namesOf({ fullName, deliveryEmail }: User) {
  return { full_name: fullName, email: deliveryEmail };
}

/** One account's change, with the organization's row locked. */
function change<Done>(
  { ctx, realmId }: Place,
  userId: number,
  work: (tx: Transaction, user: User) => Promise<Done | null>,
): Promise<Done | null> {
  return ctx.db.transaction(async (tx) => {
    await lockRealm(tx, realmId);
    const user = await findUser(tx, realmId, userId);
    return user && work(tx, user);
  });
}

async function record(
  { ctx, realmId, requestId }: Place,
  tx: Transaction,
  how: string,
  id: number,
  { before, after }: { before: Record<string, unknown>; after: Record<string, unknown> },
): Promise<void> {
  const deed = { act: `ldap-account-${how}`, actor: { kind: 'service' as const }, requestId };
  await appendEntries(ctx, tx, realmId, deed, [{ subject: { kind: 'user', id }, before, after }]);
}
