import { NonexistentSubdomainError } from '@parley/shared/errors';
import type { GetRealmRequest, Organization } from '@parley/shared/proto';
import type { Context } from '../context';
import { possibleTexts } from '../possible-values';
import { findRealmBySubdomain } from './realms.sql';

/** The organization behind a subdomain, deactivated or not. */
export async function getRealm(ctx: Context, { subdomain }: GetRealmRequest): Promise<Organization> {
  const [possible] = possibleTexts([subdomain]);
  const realm = possible === undefined ? null : await findRealmBySubdomain(ctx.db, possible);
  if (realm === null) throw new NonexistentSubdomainError();
  return realm;
}
