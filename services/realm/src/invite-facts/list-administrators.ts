import type { AdministratorIds, ListAdministratorsRequest } from '@parley/shared/proto';
import type { Context } from '../context';
import { listAdministrators as load } from './invite-facts.sql';

/** Who is told when an organization's invitations change. */
export async function listAdministrators(
  { db }: Context,
  { realmId }: ListAdministratorsRequest,
): Promise<AdministratorIds> {
  return { userIds: await load(db, realmId) };
}
