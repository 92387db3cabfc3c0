import type { DirectorySettings } from './directory-settings';
import type { Identity } from './identities.sql';
import { type DirectoryPerson, isNamed } from './people';
import type { Read } from './read-people';

export interface SyncPlan {
  /** Active accounts whose entries are gone. */
  gone: Identity[];
  /** Accounts that a sync has deactivated, and whose entries are there again. */
  returned: { identity: Identity; person: DirectoryPerson }[];
  /** Accounts with another name or address than their entries. */
  changed: { identity: Identity; person: DirectoryPerson }[];
  /** People without an account who shall have one. */
  fresh: DirectoryPerson[];
  /** People who cannot be taken over, with the reason. */
  refused: string[];
  /** Why nobody is to be deactivated; empty: they may be. */
  fault: string;
}

interface SyncFacts extends Read {
  identities: readonly Identity[];
  settings: Pick<DirectorySettings, 'newAccounts' | 'maxDeactivations' | 'idAttribute'>;
  /** An operator's order; null: none. */
  order: number | null;
}

/** What a sync would change. An answer that may be incomplete deactivates nobody. */
export function planSync({ people, withoutId, identities, settings, order }: SyncFacts): SyncPlan {
  const byEntry = new Map(people.map((person) => [person.entryId, person]));
  const known = new Set(identities.map(({ entryId }) => entryId));
  const gone = identities.filter(({ entryId, isActive }) => isActive && !byEntry.has(entryId));
  const present = identities.flatMap((identity) => {
    const person = byEntry.get(identity.entryId);
    return person ? [{ identity, person }] : [];
  });
  const strangers = settings.newAccounts === 'sync' ? people.filter(({ entryId }) => !known.has(entryId)) : [];
  const isPossible = ({ fullName }: DirectoryPerson) => fullName !== '';
  return {
    gone,
    returned: present.filter(({ identity }) => identity.hasLeft && !identity.isActive),
    changed: present.filter(({ identity, person }) => identity.isActive && isOther(identity, person)),
    fresh: strangers.filter(isPossible),
    refused: strangers.filter((person) => !isPossible(person)).map(({ dn }) => `${dn}: no email address`),
    fault: faultOf({ people, withoutId, settings, order, gone: gone.length, active: countActive(identities) }),
  };
}

function countActive(identities: readonly Identity[]): number {
  return identities.filter(({ isActive }) => isActive).length;
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
