import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { FinishImportRequest, FinishImportResponse } from '@parley/shared/proto';
import { appendEntries } from '../audit/append-entries';
import { findHead } from '../audit/audit.sql';
import { IMPORT_ACT } from '../audit/chain';
import { followChain } from '../audit/follow-chain';
import type { Context } from '../context';
import { subdomainTaken } from '../realms/create-realm';
import { SUBDOMAIN_IS_UNIQUE } from '../realms/realms.sql';
import { subdomainFromInput } from '../realms/subdomain';
import { systemBotAccounts } from '../system-bots/system-bot';
import { renameSystemBots } from '../system-bots/system-bots.sql';
import { isUniqueViolation } from '../unique-violation';
import { storeFinishedImport } from './imports.sql';

/** Opens an organization that has come out of an archive. Its audit log goes on, and tells where it came from. */
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

/** Its end was signed with the secret of where it was written, which need not be known here; it is signed anew. */
async function checkAuditLog(tx: Transaction, realmId: number, formerRealmId: number): Promise<void> {
  const { end, fault } = await followChain(tx, realmId, formerRealmId);
  const head = await findHead(tx, realmId);
  const isWhole = head === null ? end.seq === 0 : head.seq === end.seq && head.hash.equals(end.hash);
  const broken = fault ?? (isWhole ? null : 'its end is missing');
  if (broken !== null) throw new BadRequestError(`The audit log in the archive is broken: ${broken}`);
}
