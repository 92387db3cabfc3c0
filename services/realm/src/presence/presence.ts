import { batched } from '@parley/shared/batch';
import { announceEphemeral } from '@parley/shared/bus';
import type { Sql, Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { type Audience, type DomainEvent, presenceChanged } from '@parley/shared/events';
import type {
  GetPresenceRequest,
  ListPresencesRequest,
  Presence,
  PresenceList,
  ReportPresenceRequest,
  UserRef,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { PRESENCE } from '@parley/shared/values';
import { userAudience } from '../accounts/accessible-users';
import { getOwnUser } from '../accounts/get-own-user';
import { requirePerson } from '../base/guards';
import type { Context } from '../context';
import { findNamedUser } from '../people/find-user';
import { requirePresent } from './permissions';
import {
  findPresence,
  listChangedPresences,
  listRecentPresences,
  type PresenceReport,
  type PresenceRow,
  type StoredReport,
  storePresence,
  storePresenceReports,
} from './presence.sql';

/** When an active person was there. */
export async function getPresence(ctx: Context, caller: Caller, request: GetPresenceRequest): Promise<Presence> {
  const named = request.user as UserRef;
  const user = await findNamedUser(ctx.db, await getOwnUser(ctx, caller), named);
  requirePresent(user);
  const presence = await findPresence(ctx.db, caller.realmId, user.id);
  if (presence === null) throw new BadRequestError(`No presence data for ${named.id ?? named.email}`);
  return presence;
}

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

const MAX_REPORTS = 1_000;

/** Lets concurrent reports be stored by one statement: everybody reports once a minute, in large organizations all the time. */
export function joinReports({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  const store = async (reports: PresenceReport[]): Promise<(StoredReport | Error)[]> => {
    const stored = await storePresenceReports(db, reports, clock.now());
    const byAccount = new Map(stored.map((report) => [keyOf(report), report]));
    return reports.map((report) => byAccount.get(keyOf(report)) ?? new Error(`there is no user ${report.userId}`));
  };
  return batched(store, {
    maxItems: MAX_REPORTS,
    maxInFlight: 1,
    keyOf: (report) => `${keyOf(report)} ${report.isActive}`,
  });
}

function keyOf({ realmId, userId }: Pick<PresenceReport, 'realmId' | 'userId'>): string {
  return `${realmId} ${userId}`;
}

/** So much earlier than needed they were there last, for all that others get to see: clocks of clients differ. */
const MARGIN_SECS = 120;
const HIDDEN_SINCE_MS = (PRESENCE.offlineThresholdSecs + MARGIN_SECS) * 1000;

interface Visibility {
  isShown: boolean;
  /** Those who know the user. */
  audience: Audience;
  nowMs: number;
}

/**
 * Somebody hides whether they are there, or no longer does, in a transaction that holds the account: they are gone, or there, at once.
 * Everybody is told, however many there are.
 */
export async function followPresenceSetting(
  tx: Transaction,
  holder: { realmId: number; userId: number },
  { isShown, audience, nowMs }: Visibility,
): Promise<DomainEvent[]> {
  const times = isShown
    ? { activeAtMs: nowMs, connectedAtMs: nowMs }
    : { activeAtMs: null, connectedAtMs: nowMs - HIDDEN_SINCE_MS };
  const { email, ...presence } = await storePresence(tx, holder, times);
  return [presenceChanged(holder.realmId, { presence, email, audience, toldAtMs: nowMs })];
}
