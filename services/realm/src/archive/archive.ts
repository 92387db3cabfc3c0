import type { Transaction } from '@parley/shared/db';
import { BadRequestError, NonexistentSubdomainError } from '@parley/shared/errors';
import type {
  AbandonImportRequest,
  AbandonImportResponse,
  BeginImportRequest,
  BeginImportResponse,
  ExportedRealm,
  ExportRealmRequest,
  FinishImportRequest,
  FinishImportResponse,
} from '@parley/shared/proto';
import { findHead } from '../audit/audit.sql';
import { appendEntries, followChain, IMPORT_ACT } from '../audit/chain';
import { isUniqueViolation } from '../base/unique-violation';
import type { Context } from '../context';
import { systemBotAccounts } from '../notices/system-bots';
import { renameSystemBots } from '../notices/system-bots.sql';
import { getRealm } from '../organization/change-organization';
import { subdomainFromInput } from '../organization/realm-name';
import { findRealmBySubdomain, findRealmUuid, SUBDOMAIN_IS_UNIQUE } from '../organization/realms.sql';
import { subdomainTaken } from '../realms/create-realm';
import { endImport, insertImported, storeFinishedImport } from './archive.sql';

/** The organization that the operator exports, with all secrets. */
export async function exportRealm(ctx: Context, { subdomain }: ExportRealmRequest): Promise<ExportedRealm> {
  const { id: realmId, name, isDeactivated } = await getRealm(ctx, { subdomain });
  const uuid = await findRealmUuid(ctx.db, realmId);
  if (uuid === null) throw new NonexistentSubdomainError();
  return { realmId, name, uuid, isDeactivated };
}

/** Longer imports count as broken off. */
const MAX_IMPORT_MS = 24 * 3_600_000;

/**
 * Creates the organization of an import. It is closed and scheduled for deletion until the import is finished, so a broken-off import is
 * purged like any other.
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

/** Opens an imported organization. Its audit log continues, with an entry about its origin. */
export async function finishImport(
  ctx: Context,
  requestId: string,
  request: FinishImportRequest,
): Promise<FinishImportResponse> {
  const { realmId, formerRealmId } = request;
  const finished = { ...request, subdomain: subdomainFromInput(request.subdomain) };
  const deed = { act: IMPORT_ACT, actor: { kind: 'operator' as const }, requestId };
  try {
    await ctx.db.transaction(async (tx) => {
      const isFinished = await storeFinishedImport(tx, finished, ctx.clock.now());
      if (!isFinished) throw new BadRequestError('This organization is not being imported');
      await checkAuditLog(tx, realmId, formerRealmId);
      await renameSystemBots(tx, systemBotAccounts(ctx.config));
      const effect = { subject: { kind: 'organization', id: realmId }, before: { realm: formerRealmId } };
      await appendEntries(ctx, tx, realmId, deed, [{ ...effect, after: { realm: realmId } }]);
    });
  } catch (error) {
    throw isUniqueViolation(error, SUBDOMAIN_IS_UNIQUE) ? subdomainTaken() : error;
  }
  return {};
}

/** The head's signature uses the secret of the server of origin, which may be unknown here; it is signed again. */
async function checkAuditLog(tx: Transaction, realmId: number, formerRealmId: number): Promise<void> {
  const { end, fault } = await followChain(tx, realmId, formerRealmId);
  const head = await findHead(tx, realmId);
  const isWhole = head === null ? end.seq === 0 : head.seq === end.seq && head.hash.equals(end.hash);
  const broken = fault ?? (isWhole ? null : 'its end is missing');
  if (broken !== null) throw new BadRequestError(`The audit log in the archive is broken: ${broken}`);
}

/** Schedules the imported data for deletion by the next purge, see purgeRealm(). */
export async function abandonImport(
  { db, clock }: Context,
  { realmId }: AbandonImportRequest,
): Promise<AbandonImportResponse> {
  await db.transaction((tx) => endImport(tx, realmId, clock.now()));
  return {};
}
