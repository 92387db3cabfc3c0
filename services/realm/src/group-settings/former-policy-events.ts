import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, realmPropertyChanged } from '@parley/shared/events';
import { formerPolicies } from '@parley/shared/wire';
import { findSystemGroupIds } from './group-settings.sql';
import type { RealmGroupSettings } from './load-realm-group-settings';

/** Tells older clients of the organization's permissions that they know as numbers, where the number is another than before. */
export async function formerPolicyEvents(
  tx: Transaction,
  realmId: number,
  before: RealmGroupSettings,
  after: RealmGroupSettings,
): Promise<DomainEvent[]> {
  const systemGroupIds = await findSystemGroupIds(tx, realmId);
  const former: Readonly<Record<string, number>> = formerPolicies(before, systemGroupIds);
  return Object.entries(formerPolicies(after, systemGroupIds))
    .filter(([name, value]) => value !== former[name])
    .map(([name, value]) => realmPropertyChanged(realmId, { name, value }));
}
