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
