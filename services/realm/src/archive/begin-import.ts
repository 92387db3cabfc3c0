import type { BeginImportRequest, BeginImportResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { subdomainTaken } from '../realms/create-realm';
import { findRealmBySubdomain } from '../realms/realms.sql';
import { subdomainFromInput } from '../realms/subdomain';
import { insertImported } from './imports.sql';

/** What takes longer has broken off. */
const MAX_IMPORT_MS = 24 * 3_600_000;

/**
 * Makes the organization that an archive is put into. It is closed and its data is to be deleted, so what breaks off goes the way of all
 * data that is to be deleted; finishing the import takes that back.
 */
export async function beginImport(ctx: Context, request: BeginImportRequest): Promise<BeginImportResponse> {
  const subdomain = subdomainFromInput(request.subdomain);
  const nowMs = ctx.clock.now();
  const realmId = await ctx.db.transaction(async (tx) => {
    if (await findRealmBySubdomain(tx, subdomain)) throw subdomainTaken();
    return insertImported(tx, { nowMs, dataDeletedFromMs: nowMs + MAX_IMPORT_MS });
  });
  return { realmId };
}
