import { announceEphemeral } from '@parley/shared/bus';
import { presenceChanged } from '@parley/shared/events';
import type { PresenceList, ReportPresenceRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requirePerson } from '../guards';
import { userAudience } from '../users/accessible-users';
import type { joinReports } from './join-reports';
import { listPresences } from './list-presences';
import type { StoredReport } from './store-reports.sql';

/** Notes that the caller is there, tells the others if they are few and it is news, and answers who else is there. */
export async function reportPresence(
  ctx: Context,
  caller: Caller,
  { isActive, list }: ReportPresenceRequest,
  storeReport: ReturnType<typeof joinReports>,
): Promise<PresenceList> {
  const stored = await storeReport({ realmId: caller.realmId, userId: caller.userId, isActive });
  requirePerson(stored);
  if (stored.isToBeTold) await tell(ctx, stored);
  return list ? listPresences(ctx, caller, list) : { presences: [], lastUpdateId: -1, listedAtMs: ctx.clock.now() };
}

async function tell(ctx: Context, report: StoredReport): Promise<void> {
  const { realmId, userId, email, activeAtMs, connectedAtMs, transactionId } = report;
  const audience = await userAudience(ctx.db, realmId, userId);
  const presence = { userId, activeAtMs, connectedAtMs };
  await announceEphemeral(
    ctx,
    'realm',
    presenceChanged(realmId, { presence, email, audience, toldAtMs: ctx.clock.now() }),
    transactionId,
  );
}
