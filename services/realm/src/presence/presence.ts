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
  User,
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
  findPresenceViewer,
  listChangedPresences,
  listRecentPresences,
  type PresenceReport,
  type PresenceRow,
  type PresenceViewer,
  type StoredReport,
  storePresence,
  storePresenceReports,
} from './presence.sql';

/** The presence of an active person. */
export async function getPresence(ctx: Context, caller: Caller, request: GetPresenceRequest): Promise<Presence> {
  const named = request.user as UserRef;
  const user = await findNamedUser(ctx.db, await getOwnUser(ctx, caller), named);
  requirePresent(user);
  const presence = await findPresence(ctx.db, caller.realmId, user.id);
  if (presence === null) throw new BadRequestError(`No presence data for ${named.id ?? named.email}`);
  return presence;
}

const DAY_MS = 24 * 3600 * 1000;
/** PostgreSQL's dates do not reach further back. */
const MAX_HISTORY_DAYS = 36_500;

/** The presences of the organization's active people, or their changes since an earlier answer. */
export async function listPresences(
  ctx: Context,
  caller: Caller,
  request: ListPresencesRequest,
): Promise<PresenceList> {
  const viewer = request.knownVersion === undefined ? null : await findPresenceViewer(ctx.db, caller);
  return readPresences(ctx.db, caller, request, { listedAtMs: ctx.clock.now(), viewer });
}

interface PresenceReading {
  listedAtMs: number;
  /** Guests may not see all users. Null: it is not known whether they do. */
  viewer: PresenceViewer | null;
}

/** The same, in the snapshot of `sql`. */
export async function readPresences(
  sql: Sql,
  caller: Caller,
  request: ListPresencesRequest,
  { listedAtMs, viewer }: PresenceReading,
): Promise<PresenceList> {
  const { realmId, userId } = caller;
  const { knownVersion, withEmails, historyLimitDays } = request;
  const seesEverybody = viewer?.isGuest === false;
  if (knownVersion !== undefined && seesEverybody) {
    const { usersVersion: version } = viewer;
    const known = knownVersion === version ? { lastUpdateId: request.lastUpdateId } : {};
    const rows = await loadPresences(sql, { realmId, emailsFor: 'everybody' }, known, listedAtMs);
    return { ...listOf(rows, known.lastUpdateId), listedAtMs, version };
  }
  const wanted: WantedTime = knownVersion === undefined ? request : { historyLimitDays };
  const emailsFor = withEmails ? (seesEverybody ? 'everybody' : userId) : null;
  const rows = await loadPresences(sql, { realmId, emailsFor }, wanted, listedAtMs);
  return { ...listOf(rows, wanted.lastUpdateId), listedAtMs };
}

function listOf(rows: readonly PresenceRow[], lastUpdateId = -1): Pick<PresenceList, 'presences' | 'lastUpdateId'> {
  return {
    presences: rows.map(({ presence }) => presence),
    lastUpdateId: Math.max(lastUpdateId, ...lastOf(rows)),
  };
}

type WantedTime = Partial<Record<'lastUpdateId' | 'historyLimitDays', number | undefined>>;

async function loadPresences(
  sql: Sql,
  wanted: Parameters<typeof listRecentPresences>[1],
  { lastUpdateId = -1, historyLimitDays = PRESENCE.historyDays }: WantedTime,
  nowMs: number,
): Promise<PresenceRow[]> {
  if (lastUpdateId > 0) return listChangedPresences(sql, wanted, lastUpdateId);
  if (historyLimitDays <= 0) return [];
  return listRecentPresences(sql, wanted, nowMs - Math.min(historyLimitDays, MAX_HISTORY_DAYS) * DAY_MS);
}

function lastOf(rows: readonly PresenceRow[]): number[] {
  const last = rows.at(-1);
  return last ? [last.updateId] : [];
}

/**
 * Stores that the caller is present, announces it if the organization is small and the caller comes online, and returns the others'
 * presences.
 */
export async function reportPresence(
  ctx: Context,
  caller: Caller,
  { isActive, list }: ReportPresenceRequest,
  storeReport: ReturnType<typeof joinReports>,
): Promise<PresenceList> {
  const stored = await storeReport({ realmId: caller.realmId, userId: caller.userId, isActive });
  requirePerson(stored);
  if (stored.isAnnounced) await tell(ctx, stored);
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

/** Batches concurrent reports into one statement: everybody reports once a minute, so large organizations do all the time. */
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

/** Backdates a user who goes offline enough that all clients agree, whose clocks differ. */
const MARGIN_SECS = 120;
const HIDDEN_SINCE_MS = (PRESENCE.offlineThresholdSecs + MARGIN_SECS) * 1000;

interface Visibility {
  isShown: boolean;
  /** Users who may see the user. */
  audience: Audience;
  nowMs: number;
}

/**
 * Follows a change of the setting to hide presence: shows the user as offline, or online, at once, to everybody in organizations of any
 * size. The transaction has locked the account.
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

/** Shows when a reactivated user was present, unless that is too long ago to be listed. */
export async function presenceShownAgain(
  tx: Transaction,
  { realmId, id, email }: User,
  { audience, nowMs }: Omit<Visibility, 'isShown'>,
): Promise<DomainEvent[]> {
  const presence = await findPresence(tx, realmId, id);
  if (presence === null || presence.connectedAtMs < nowMs - PRESENCE.historyDays * DAY_MS) return [];
  return [presenceChanged(realmId, { presence, email, audience, toldAtMs: nowMs })];
}
