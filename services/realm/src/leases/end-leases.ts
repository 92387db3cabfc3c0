import { type LeaseEnding, tellHolders } from '@parley/shared/bus';
import type { BeforeCommit } from '@parley/shared/db';
import type { Context } from '../context';
import { awaitEndOfLeases } from './leases.sql';

/** The tables whose changes end leases: those that versions of facts about readers count, and keys. */
export const LEASED_TABLES = [
  'alert_word',
  'api_key',
  'channel',
  'channel_group_setting',
  'muted_user',
  'profile_field',
  'profile_value',
  'realm',
  'realm_group_setting',
  'subscription',
  'subscription_interval',
  'user_account',
  'user_group',
  'user_group_member',
  'user_group_subgroup',
  'user_settings',
] as const;

/** What triggers say of a change, see end_leases() in the database. */
interface Change {
  realmId: number;
  /** Null: all. */
  userIds: number[] | null;
  holders: string[];
}

/**
 * Ends the leases of what a transaction has changed, before it commits. Holders forget them, and answer. If one does not answer, the transaction waits
 * until nobody is a holder any more.
 */
export function endLeasesBeforeCommit({ bus, log }: Pick<Context, 'bus' | 'log'>): BeforeCommit {
  return {
    setting: 'parley.tells_lease_holders',
    tables: LEASED_TABLES,
    async run(tx, details) {
      const changes = details.map((detail): Change => JSON.parse(detail));
      const holders = [...new Set(changes.flatMap((change) => change.holders))];
      const silent = await tellHolders(bus, holders, together(changes));
      if (silent.length === 0) return;
      log.warn({ holders: silent }, 'replicas of messages do not answer; a change waits until their leases have ended');
      await awaitEndOfLeases(tx);
    },
  };
}

/** Of more users those of the whole organization end. */
const MOST_USERS = 1_000;

/** Each ending once, and none of a user beside one of the whole organization. */
function together(changes: readonly Change[]): LeaseEnding[] {
  const whole = new Set<number>();
  const single = new Map<number, Set<number>>();
  for (const { realmId, userIds } of changes) {
    if (whole.has(realmId)) continue;
    const known = single.get(realmId) ?? new Set();
    for (const userId of userIds ?? []) known.add(userId);
    if (userIds === null || known.size > MOST_USERS) {
      whole.add(realmId);
      single.delete(realmId);
    } else single.set(realmId, known);
  }
  return [
    ...[...whole].map((realmId) => ({ realmId, userId: null })),
    ...[...single].flatMap(([realmId, users]) => [...users].map((userId) => ({ realmId, userId }))),
  ];
}
