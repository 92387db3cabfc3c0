import type { Sql } from '@parley/shared/db';
import { NonexistentSubdomainError } from '@parley/shared/errors';
import type { GetRealmRequest, Organization } from '@parley/shared/proto';
import { possibleTexts } from '../possible-values';
import { findRealmBySubdomain } from './realms.sql';

/** The organization behind a subdomain, deactivated or not. */
export async function getRealm({ db }: { db: Sql }, { subdomain }: GetRealmRequest): Promise<Organization> {
  const [possible] = possibleTexts([subdomain]);
  const realm = possible === undefined ? null : await findRealmBySubdomain(db, possible);
  if (realm === null) throw new NonexistentSubdomainError();
  return realm;
}
