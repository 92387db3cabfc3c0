import type { Person } from './model';
import { byName, peopleGroups } from './people-groups';
import type { Presence } from './presence';

const NAMES = ['Zoe', 'ann', 'Bob', 'Cy', 'Robot'];
const people = NAMES.map((full_name, at) => ({ user_id: at, full_name, is_bot: full_name === 'Robot' }) as Person);
const presences: readonly Presence[] = ['away', 'idle', 'active', 'away', 'away'];

function describeGroups(memberIds: readonly number[] = [], words = ''): string[] {
  const groups = peopleGroups(byName(people), {
    userId: 0,
    presenceOf: (id) => presences[id] ?? 'away',
    isMember: (id) => memberIds.includes(id),
    fits: (name) => name.toLowerCase().includes(words),
  });
  return [groups.members, groups.others, groups.bots].map((list) => list.map(({ full_name: name }) => name).join());
}

test('oneself first, then those who are there, then by name; bots apart', () => {
  expect(describeGroups()).toEqual(['', 'Zoe,Bob,ann,Cy', 'Robot']);
});

test('members of the channel come first', () => {
  expect(describeGroups([0, 1])).toEqual(['Zoe,ann', 'Bob,Cy', 'Robot']);
});

test('only those who fit are listed', () => {
  expect(describeGroups([1], 'o')).toEqual(['', 'Zoe,Bob', 'Robot']);
});

test('a changed name moves one person, without comparing everybody anew', () => {
  let lookups = 0;
  const nameOf = (at: number) => `Person ${String((at * 7919) % 10_000).padStart(5, '0')}`;
  const makePerson = (at: number, name = nameOf(at)) => ({
    user_id: at,
    get full_name() {
      lookups += 1;
      return name;
    },
    set full_name(changed: string) {
      name = changed;
    },
  });
  const all = Array.from({ length: 10_000 }, (_, at) => makePerson(at)) as unknown as Person[];
  const [renamed, gone, ...others] = all as [Person, Person, ...Person[]];
  const before = byName(all);
  renamed.full_name = 'Person 05000a';
  const come = makePerson(10_000, 'Aaron') as unknown as Person;
  lookups = 0;
  const after = byName([renamed, ...others, come], before);
  expect(lookups).toBeLessThan(4 * all.length);
  expect(after[0]).toBe(come);
  expect(after.indexOf(renamed)).toBe(after.findIndex(({ full_name: name }) => name === 'Person 05000') + 1);
  expect(after).not.toContain(gone);
  expect(after.map(({ full_name: name }) => name)).toEqual(byName(after).map(({ full_name: name }) => name));
});
