import { computed } from '@preact/signals';
import { knownPeople } from '../../store/known-people';
import type { Person } from '../../store/model';
import { byName } from '../../store/people-groups';

let last: readonly Person[] = [];

const sorted = computed(() => {
  last = byName(knownPeople.value, last);
  return last;
});

/** Everybody with an active account whom the user may see, bots too, by name; put in order once for each change of people. */
export function sortedPeople(): readonly Person[] {
  return sorted.value;
}
