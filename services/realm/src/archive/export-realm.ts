import { NonexistentSubdomainError } from '@parley/shared/errors';
import type { ExportedRealm, ExportRealmRequest } from '@parley/shared/proto';
import type { Context } from '../context';
import { getRealm } from '../realms/get-realm';
import { findRealmUuid } from '../realms/realms.sql';

/** Which organization it is that the operator exports, with all its secrets. */
export async function exportRealm(ctx: Context, { subdomain }: ExportRealmRequest): Promise<ExportedRealm> {
  const { id: realmId, name, isDeactivated } = await getRealm(ctx, { subdomain });
  const uuid = await findRealmUuid(ctx.db, realmId);
  if (uuid === null) throw new NonexistentSubdomainError();
  return { realmId, name, uuid, isDeactivated };
}
