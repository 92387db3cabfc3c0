import type { Sql } from '@parley/shared/db';
import type { ListPresencesRequest, PresenceList } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { PRESENCE } from '@parley/shared/values';
import type { Context } from '../context';
import { listChangedPresences, listRecentPresences, type PresenceRow } from './presence.sql';

const DAY_MS = 24 * 3600 * 1000;
/** Beyond it there are no dates to count back to. */
const MAX_HISTORY_DAYS = 36_500;

/** When the active people of the organization were there, or what has changed of that since an earlier answer. */
export async function listPresences(
  ctx: Context,
  caller: Caller,
  request: ListPresencesRequest,
): Promise<PresenceList> {
  return readPresences(ctx.db, caller, request, ctx.clock.now());
}

/** The same, as `sql` reads it. */
export async function readPresences(
  sql: Sql,
  caller: Caller,
  request: ListPresencesRequest,
  listedAtMs: number,
): Promise<PresenceList> {
  const rows = await loadPresences(sql, caller, request, listedAtMs);
  const lastUpdateId = Math.max(request.lastUpdateId ?? -1, ...lastOf(rows));
  return { presences: rows.map(({ presence }) => presence), lastUpdateId, listedAtMs };
}

async function loadPresences(
  sql: Sql,
  { realmId, userId }: Caller,
  { lastUpdateId = -1, historyLimitDays = PRESENCE.historyDays, withEmails }: ListPresencesRequest,
  nowMs: number,
): Promise<PresenceRow[]> {
  const wanted = { realmId, emailsForId: withEmails ? userId : null };
  if (lastUpdateId > 0) return listChangedPresences(sql, wanted, lastUpdateId);
  if (historyLimitDays <= 0) return [];
  return listRecentPresences(sql, wanted, nowMs - Math.min(historyLimitDays, MAX_HISTORY_DAYS) * DAY_MS);
}

function lastOf(rows: readonly PresenceRow[]): number[] {
  const last = rows.at(-1);
  return last ? [last.updateId] : [];
}
