import { computed } from '@preact/signals';
import { type Person, read } from '../../store/model';
import { byName } from '../../store/people-groups';

const sorted = computed(() => byName(read('people').realm_users));

/** Everybody with an active account, bots too, by name; sorted once for each change of people. */
export function sortedPeople(): readonly Person[] {
  return sorted.value;
}
