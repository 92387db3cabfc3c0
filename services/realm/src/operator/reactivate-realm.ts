import { BadRequestError } from '@parley/shared/errors';
import type { ReactivateRealmRequest, ReactivateRealmResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { getRealm } from '../realms/get-realm';
import { reopenRealm } from './operator.sql';

/** Opens an organization again: the keys of its accounts open it as before. For the operator's command. */
// NOTE: nobody is told, for nobody can listen: the queues of an organization end when it is closed.
export async function reactivateRealm(
  ctx: Context,
  { subdomain }: ReactivateRealmRequest,
): Promise<ReactivateRealmResponse> {
  const { id: realmId, isDeactivated } = await getRealm(ctx, { subdomain });
  if (!isDeactivated) throw new BadRequestError('This organization is not deactivated');
  const isOpen = await ctx.db.transaction((tx) => reopenRealm(tx, realmId, ctx.clock.now()));
  if (!isOpen) throw new BadRequestError('The data of this organization is deleted');
  return { realmId };
}
