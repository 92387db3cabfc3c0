import { computed } from '@preact/signals';
import { type Person, read } from '../../store/model';
import { byName } from '../../store/people-groups';

/** The name that guests see for people whom they may not see. */
const isStranger = ({ date_joined: joined }: Person) => joined?.startsWith('1970-01-01') ?? false;

let last: readonly Person[] = [];

const sorted = computed(() => {
  last = byName(
    read('people').realm_users.filter((each) => !isStranger(each)),
    last,
  );
  return last;
});

/** Everybody with an active account, bots too, by name; put in order once for each change of people. */
export function sortedPeople(): readonly Person[] {
  return sorted.value;
}
