import type { Person } from './model';
import type { Presence } from './presence';

/** People in the order in which they are listed. */
export interface PeopleGroups {
  members: Person[];
  others: Person[];
  bots: Person[];
}

interface Facts {
  userId: number;
  presenceOf(userId: number): Presence;
  /** Whether they are in the channel in view. */
  isMember(userId: number): boolean;
  fits(name: string): boolean;
}

const { compare } = new Intl.Collator(undefined, { sensitivity: 'base' });

/** By name. `before` is how they were sorted last: then only those who were renamed or have come are moved. */
export function byName(people: readonly Person[], before: readonly Person[] = []): Person[] {
  const left = new Set(people);
  // Those who are still there; what is nearly sorted takes few comparisons.
  const known = before.filter((each) => left.delete(each));
  return [...known, ...left].sort((a, b) => compare(a.full_name, b.full_name));
}

/** Oneself, those who are there, those who were there, the others; `people` are sorted by name. */
export function peopleGroups(people: readonly Person[], facts: Facts): PeopleGroups {
  const bots: Person[] = [];
  const [members, others] = [newRanks(), newRanks()];
  for (const each of people) {
    if (!facts.fits(each.full_name)) continue;
    if (each.is_bot) bots.push(each);
    else {
      const ranks = facts.isMember(each.user_id) ? members : others;
      ranks[each.user_id === facts.userId ? 'own' : facts.presenceOf(each.user_id)].push(each);
    }
  }
  return { members: inOrder(members), others: inOrder(others), bots };
}

type Ranks = Record<Presence | 'own', Person[]>;

const newRanks = (): Ranks => ({ own: [], active: [], idle: [], away: [] });

function inOrder({ own, active, idle, away }: Ranks): Person[] {
  return [...own, ...active, ...idle, ...away];
}
