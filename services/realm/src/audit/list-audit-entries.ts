import { BadRequestError } from '@parley/shared/errors';
import { DEPLOYMENT } from '@parley/shared/events';
import type { AuditEntries, ListAuditEntriesRequest } from '@parley/shared/proto';
import type { Context } from '../context';
import { possibleTexts } from '../possible-values';
import { getRealm } from '../realms/get-realm';
import { findUsersByAddresses } from '../users/users.sql';
import { listEntriesAfter, listLastEntries } from './audit.sql';

const MAX_ENTRIES = 10_000;
/** The word for whoever works at the command line, in the place of an address. */
const OPERATOR = 'operator';

/** What was done in an organization, or to all of them together: the last acts, or a page of all of them. For the operator's command. */
export async function listAuditEntries(ctx: Context, request: ListAuditEntriesRequest): Promise<AuditEntries> {
  const { subdomain, isOfDeployment } = request;
  const realmId = request.realmId ?? (isOfDeployment ? DEPLOYMENT : (await getRealm(ctx, { subdomain })).id);
  const limit = Math.min(request.limit, MAX_ENTRIES);
  const rows =
    request.afterSeq === undefined
      ? await listLastEntries(ctx.db, realmId, await filterOf(ctx, realmId, request), limit)
      : await listEntriesAfter(ctx.db, realmId, request.afterSeq, limit);
  return { entries: rows.map(({ seq, entry, hash }) => ({ seq, json: entry, hash: hash.toString('hex') })) };
}

async function filterOf(ctx: Context, realmId: number, { actor, sinceMs = 0 }: ListAuditEntriesRequest) {
  const isByOperator = actor === OPERATOR;
  if (actor === undefined || isByOperator) return { sinceMs, actorId: null, isByOperator };
  const [user] = await findUsersByAddresses(ctx.db, realmId, possibleTexts([actor.trim()]));
  if (!user) throw new BadRequestError('No such user');
  return { sinceMs, actorId: user.id, isByOperator };
}
