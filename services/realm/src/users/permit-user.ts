import { BadRequestError } from '@parley/shared/errors';
import type { PermitUserRequest, PermitUserResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { possibleTexts } from '../possible-values';
import { getRealm } from '../realms/get-realm';
import { storeOperatorRights } from './account-state.sql';
import { findUsersByAddresses } from './users.sql';

/** Gives an account rights, or takes them, that no organization has to give. For the operator's command. */
export async function permitUser(ctx: Context, request: PermitUserRequest): Promise<PermitUserResponse> {
  const { id: realmId } = await getRealm(ctx, { subdomain: request.subdomain });
  const [user] = await findUsersByAddresses(ctx.db, realmId, possibleTexts([request.email.trim()]));
  if (!user) throw new BadRequestError('No such user');
  const rights = { mayCreateUsers: request.mayCreateUsers ?? null, mayChangeEmails: request.mayChangeEmails ?? null };
  await ctx.db.transaction((tx) => storeOperatorRights(tx, realmId, user.id, rights));
  return { userId: user.id };
}
