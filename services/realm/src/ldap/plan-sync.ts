import { Slices } from '@parley/shared/batch';
import type { DirectorySettings } from './directory-settings';
import { exchangesOf } from './exchanges';
import type { Identity } from './identities.sql';
import { type DirectoryPerson, isNamed } from './people';
import type { Known } from './plan-groups';
import type { Read } from './read-people';

export interface SyncPlan {
  /** Active accounts whose entries are gone. */
  gone: Identity[];
  /** Accounts that a sync has deactivated, and whose entries are there again. */
  returned: { identity: Identity; person: DirectoryPerson }[];
  /** Accounts with another name or address than their entries, in sets that change together. */
  changed: { identity: Identity; person: DirectoryPerson }[][];
  /** Active accounts whose entries are there. */
  known: Known[];
  /** People without an account who shall have one. */
  fresh: DirectoryPerson[];
  /** People who cannot be taken over, with the reason. */
  refused: string[];
  /** Why nobody is to be deactivated; empty: they may be. */
  fault: string;
}

interface SyncFacts extends Pick<Read, 'people' | 'withoutId'> {
  identities: readonly Identity[];
  settings: Pick<DirectorySettings, 'newAccounts' | 'maxDeactivations' | 'idAttribute'>;
  /** An operator's order; null: none. */
  order: number | null;
}

/** A sync's changes. An answer that may be incomplete deactivates nobody. There may be 200,000 people. */
export async function planSync({ people, withoutId, identities, settings, order }: SyncFacts): Promise<SyncPlan> {
  // No deadline: reading has one.
  const slices = new Slices(Number.POSITIVE_INFINITY);
  const plan: SyncPlan = { gone: [], returned: [], changed: [], known: [], fresh: [], refused: [], fault: '' };
  const others: Known[] = [];
  const byEntry = new Map<string, DirectoryPerson>();
  for (const person of people) {
    await slices.pause();
    byEntry.set(person.entryId, person);
  }
  let active = 0;
  for (const identity of identities) {
    await slices.pause();
    if (identity.isActive) active += 1;
    const person = byEntry.get(identity.entryId);
    addKnown(plan, identity, person);
    if (person && identity.isActive && isOther(identity, person)) others.push({ identity, person });
    // The remaining entries are unknown.
    byEntry.delete(identity.entryId);
  }
  plan.changed = await exchangesOf(others);
  if (settings.newAccounts === 'sync') {
    for (const person of byEntry.values()) {
      await slices.pause();
      if (person.fullName !== '') plan.fresh.push(person);
      else plan.refused.push(`${person.dn}: no email address`);
    }
  }
  plan.fault = faultOf({ people, withoutId, settings, order, gone: plan.gone.length, active });
  return plan;
}

function addKnown(plan: SyncPlan, identity: Identity, person: DirectoryPerson | undefined): void {
  if (!person) {
    if (identity.isActive) plan.gone.push(identity);
  } else if (!identity.isActive) {
    if (identity.hasLeft) plan.returned.push({ identity, person });
  } else {
    plan.known.push({ identity, person });
  }
}

function isOther({ fullName, deliveryEmail }: Identity, person: DirectoryPerson): boolean {
  if (person.fullName === '') return false;
  return !isNamed(fullName, person.fullName) || person.email !== deliveryEmail;
}

interface Doubts extends Pick<SyncFacts, 'people' | 'withoutId' | 'settings' | 'order'> {
  gone: number;
  active: number;
}

function faultOf({ people, withoutId, settings, order, gone, active }: Doubts): string {
  if (gone === 0) return '';
  if (people.length === 0) return 'the directory answers nobody: no account is deactivated';
  if (withoutId > 0) return `${withoutId} entries have no ${settings.idAttribute}: no account is deactivated`;
  const bound = order ?? settings.maxDeactivations ?? usualBound(active);
  if (gone <= bound) return '';
  return `${gone} accounts would be deactivated, more than the bound of ${bound}: none is`;
}

/** Five, and one in a hundred. */
function usualBound(active: number): number {
  return 5 + Math.floor(active / 100);
}
