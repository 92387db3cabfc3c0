import type { AbandonImportRequest, AbandonImportResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { endImport } from './imports.sql';

/** Has what was imported so far deleted, the next time that such things are: see purgeRealm(). */
export async function abandonImport(
  { db, clock }: Context,
  { realmId }: AbandonImportRequest,
): Promise<AbandonImportResponse> {
  await db.transaction((tx) => endImport(tx, realmId, clock.now()));
  return {};
}
