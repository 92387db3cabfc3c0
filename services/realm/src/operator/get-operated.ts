import { BadRequestError } from '@parley/shared/errors';
import type { GetOperatedRequest, Operated } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import type { Context } from '../context';
import { getRealm } from '../realms/get-realm';
import { findAccount } from './find-account';
import { findFirstActive } from './operator.sql';

/** The organization, who the operator acts as in it, and whom that is about. For the operator's command. */
export async function getOperated(ctx: Context, request: GetOperatedRequest): Promise<Operated> {
  const { subdomain, actorEmail, userEmail } = request;
  const realm = await getRealm(ctx, { subdomain });
  const actorId =
    actorEmail === undefined ? await findOwner(ctx, realm.id) : await findActor(ctx, realm.id, actorEmail);
  const user = userEmail === undefined ? null : await findAccount(ctx, realm.id, userEmail);
  return { realm, actorId, user };
}

async function findOwner(ctx: Context, realmId: number): Promise<number> {
  const ownerId = await findFirstActive(ctx.db, realmId, ROLES.owner);
  if (ownerId === null) throw new BadRequestError('This organization has no active owner');
  return ownerId;
}

async function findActor(ctx: Context, realmId: number, email: string): Promise<number> {
  const { id, isActive, isBot } = await findAccount(ctx, realmId, email);
  if (!isActive || isBot) throw new BadRequestError('Only active people can be acted as');
  return id;
}
