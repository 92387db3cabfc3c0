import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { DomainEvent } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { isEmailAddress } from '@parley/shared/values';
import { findUser } from '../accounts/users.sql';
import { appendEntries } from '../audit/chain';
import type { Context } from '../context';
import { followOutsideRole } from '../directory/outside-accounts';
import { lockRealm } from '../organization/realms.sql';
import { changeEmail } from '../people/change-email';
import { changeFullName, checkNameIsFree } from '../people/full-name';
import { deactivateAccount, isLastOwner } from '../users/deactivate-user';
import { reactivateAccount } from '../users/reactivate-user';
import type { RoleState } from './group-rules';
import { type Identity, storeGivenRole, storeLeaving } from './identities.sql';
import { type DirectoryPerson, isNamed } from './people';

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

/** Gives an account the name and address of its entry. */
export function followEntry(place: Place, { userId }: Identity, person: DirectoryPerson): Promise<'changed' | null> {
  return change(place, userId, async (tx, user) => {
    const events: DomainEvent[] = [...(await renamed(tx, user, person)), ...(await readdressed(tx, user, person))];
    if (events.length === 0) return null;
    const after = await findUser(tx, place.realmId, userId);
    await announce(tx, ...events);
    await record(place, tx, 'changed', userId, { before: namesOf(user), after: namesOf(after as User) });
    return 'changed';
  });
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

async function renamed(tx: Transaction, user: User, { fullName }: DirectoryPerson): Promise<DomainEvent[]> {
  if (fullName === '' || isNamed(user.fullName, fullName)) return [];
  await checkNameIsFree(tx, user.realmId, fullName, user.id);
  return changeFullName(tx, user, fullName);
}

async function readdressed(tx: Transaction, user: User, { email, fullName }: DirectoryPerson): Promise<DomainEvent[]> {
  if (!isEmailAddress(email)) return [];
  return changeEmail(tx, { ...user, fullName: fullName || user.fullName }, email);
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
