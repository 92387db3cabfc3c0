import { BadRequestError } from '@parley/shared/errors';
import { DEPLOYMENT } from '@parley/shared/events';
import { runPeriodically } from '@parley/shared/jobs';
import type {
  AuditEntries,
  AuditLogs,
  ListAuditEntriesRequest,
  VerifiedAuditLog,
  VerifiedAuditLogs,
  VerifyAuditLogRequest,
} from '@parley/shared/proto';
import { findUsersByAddresses } from '../accounts/users.sql';
import { possibleTexts } from '../base/possible-values';
import type { Context } from '../context';
import { getRealm } from '../organization/change-organization';
import {
  type ChainEnd,
  deleteAuditsOfPurged,
  findHead,
  type Head,
  listEntriesAfter,
  listHeads,
  listLastEntries,
  listRecordedRealms,
  seeOneMoment,
} from './audit.sql';
import { followChain, isSignedHead } from './chain';

const MAX_ENTRIES = 10_000;
/** The actor's name for the command line, in place of an address. */
const OPERATOR = 'operator';

/** Acts in one organization, or in all: the latest, or a page. For the operator's command. */
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

/** Every audit log with its length. For the operator's command. */
export async function listAuditLogs({ db }: Context): Promise<AuditLogs> {
  return { logs: await listHeads(db) };
}

/** Verifies the chains of audit logs, of one organization or all. For the operator's command. */
export async function verifyAuditLog(ctx: Context, { subdomain }: VerifyAuditLogRequest): Promise<VerifiedAuditLogs> {
  const realmIds =
    subdomain === undefined ? await listRecordedRealms(ctx.db) : [(await getRealm(ctx, { subdomain })).id];
  const logs: VerifiedAuditLog[] = [];
  for (const realmId of realmIds) logs.push(await verify(ctx, realmId));
  return { logs };
}

function verify({ db, config }: Context, realmId: number): Promise<VerifiedAuditLog> {
  return db.transaction(async (tx) => {
    await seeOneMoment(tx);
    const head = await findHead(tx, realmId);
    const { end, fault } = await followChain(tx, realmId);
    const broken = fault ?? faultOfHead(config.BOT_KEY_SECRET, realmId, head, end);
    const found = { realmId, entries: end.seq, headHash: end.hash.toString('hex') };
    return broken === null ? found : { ...found, fault: broken };
  });
}

function faultOfHead(secret: string, realmId: number, head: Head | null, end: ChainEnd): string | null {
  if (head === null) return end.seq === 0 ? null : 'the head is missing';
  if (!isSignedHead(secret, realmId, head)) return 'the head is not signed with this service’s BOT_KEY_SECRET';
  if (head.seq > end.seq) return `entry ${end.seq + 1} is missing`;
  return head.seq === end.seq && head.hash.equals(end.hash) ? null : 'the head is not that of these entries';
}

const EVERY_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
const LOCK = 'parley-audit';

/**
 * Deletes audit logs periodically, when the retention after their organizations' deletion is over, until the returned function is called.
 */
export function deleteExpiredAuditsPeriodically(
  ctx: Pick<Context, 'db' | 'clock' | 'log' | 'config'>,
): () => Promise<void> {
  const { db, clock, config } = ctx;
  const lock = { url: db.url, name: LOCK };
  const failure = 'expired audit logs were not deleted';
  return runPeriodically(ctx, { everyMs: EVERY_MS, failure, lock }, () =>
    deleteAuditsOfPurged(db, clock.now() - config.AUDIT_RETENTION_DAYS * DAY_MS),
  );
}
