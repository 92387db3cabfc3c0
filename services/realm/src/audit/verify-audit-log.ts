import type { VerifiedAuditLog, VerifiedAuditLogs, VerifyAuditLogRequest } from '@parley/shared/proto';
import type { Context } from '../context';
import { getRealm } from '../realms/get-realm';
import { type ChainEnd, findHead, type Head, listRecordedRealms, seeOneMoment } from './audit.sql';
import { isSignedHead } from './chain';
import { followChain } from './follow-chain';

/** Whether the audit logs are what was written, one after the other; of one organization or of all. For the operator's command. */
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
