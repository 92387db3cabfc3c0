import type { Sql, Transaction } from '@parley/shared/db';
import { NonexistentSubdomainError, RealmDeactivatedError, UserDeactivatedError } from '@parley/shared/errors';
import { prismaTransaction } from '@parley/shared/prisma';
import type { GetRealmRequest, Organization, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { findUser } from '../accounts/users.sql';
import { possibleTexts } from '../base/possible-values';
import type { Context, Tables } from '../context';
import { findRealmBySubdomain, lockRealm } from './realms.sql';

/**
 * Changes the organization, if `guard` accepts the caller: in one transaction with the organization's row locked, so that such changes
 * and their events are serialized.
 */
export async function changeOrganization<Result>(
  ctx: Context,
  { realmId, userId }: Caller,
  guard: (actor: User) => void,
  change: (tx: Transaction, actor: User, prisma: Tables) => Promise<Result>,
): Promise<Result> {
  return prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    const actor = await findUser(tx, realmId, userId);
    if (!actor?.isActive) throw new UserDeactivatedError();
    guard(actor);
    await lockRealm(tx, realmId);
    return change(tx, actor, prisma);
  });
}

/** The organization of a subdomain, deactivated or not. */
export async function getRealm({ db }: { db: Sql }, { subdomain }: GetRealmRequest): Promise<Organization> {
  const [possible] = possibleTexts([subdomain]);
  const realm = possible === undefined ? null : await findRealmBySubdomain(db, possible);
  if (realm === null) throw new NonexistentSubdomainError();
  return realm;
}

/** The organization of a subdomain, which is not deactivated. */
export async function getOpenRealm(ctx: { db: Sql }, subdomain: string): Promise<Organization> {
  const realm = await getRealm(ctx, { subdomain });
  if (realm.isDeactivated) throw new RealmDeactivatedError();
  return realm;
}
