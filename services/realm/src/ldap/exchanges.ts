import { Slices } from '@parley/shared/batch';
import { nameKey } from '../base/name-key';
import type { Identity } from './identities.sql';
import type { DirectoryPerson } from './people';

/** An account with another name or address than its entry. */
export interface Changed {
  identity: Pick<Identity, 'userId' | 'fullName' | 'deliveryEmail'>;
  person: DirectoryPerson;
}

/**
 * The changes in sets, most of them of one: those where somebody takes the address or the name that another one gives up are of one set, since
 * none of them may be possible alone.
 */
export async function exchangesOf<Each extends Changed>(changed: readonly Each[]): Promise<Each[][]> {
  // No deadline: a directory has at most 200,000 people.
  const slices = new Slices(Number.POSITIVE_INFINITY);
  const holders = new Map<string, number>();
  for (const [index, { identity }] of changed.entries()) {
    await slices.pause();
    for (const key of keysOf(identity.deliveryEmail, identity.fullName)) holders.set(key, index);
  }
  const parents = changed.map((_, index) => index);
  for (const [index, { person }] of changed.entries()) {
    await slices.pause();
    for (const key of keysOf(person.email, person.fullName)) {
      const holder = holders.get(key);
      if (holder !== undefined) parents[rootOf(parents, index)] = rootOf(parents, holder);
    }
  }
  const sets = new Map<number, Each[]>();
  for (const [index, each] of changed.entries()) {
    const root = rootOf(parents, index);
    const set = sets.get(root);
    if (set) set.push(each);
    else sets.set(root, [each]);
  }
  return [...sets.values()];
}

function keysOf(email: string, fullName: string): string[] {
  return [`email ${email.toLowerCase()}`, `name ${nameKey(fullName.normalize('NFKC'))}`];
}

/** The set of an element: each points to another one of its set, the last to itself. */
function rootOf(parents: number[], index: number): number {
  let root = index;
  while (parents[root] !== root) {
    const next = parents[root] as number;
    parents[root] = parents[next] as number;
    root = next;
  }
  return root;
}
