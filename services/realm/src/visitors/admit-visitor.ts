import { UnauthorizedError } from '@parley/shared/errors';
import type { AdmittedVisitor, AdmitVisitorRequest } from '@parley/shared/proto';
import { realmSettingsOf } from '@parley/shared/values';
import type { Context } from '../context';
import { findRealmBySubdomain } from '../realms/realms.sql';

/** The organization, when it lets people look around who are not signed in. */
export async function admitVisitor(ctx: Context, { subdomain }: AdmitVisitorRequest): Promise<AdmittedVisitor> {
  const realm = ctx.config.WEB_PUBLIC_STREAMS_ENABLED ? await findRealmBySubdomain(ctx.db, subdomain) : null;
  if (!realm || realm.isDeactivated || !realmSettingsOf(realm).enable_spectator_access) {
    throw new UnauthorizedError('Not logged in: API authentication or user session required');
  }
  return { realmId: realm.id };
}
