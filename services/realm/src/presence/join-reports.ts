import { batched } from '@parley/shared/batch';
import type { Context } from '../context';
import { type PresenceReport, type StoredReport, storePresenceReports } from './store-reports.sql';

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
