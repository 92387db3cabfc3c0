import { computed } from '@preact/signals';
import { type Person, read } from './model';

/** Whether the user, a guest, may not see who this is: only the id of such a person is real. */
export const isStranger = ({ date_joined: joined }: Person): boolean => joined?.startsWith('1970-01-01') ?? false;

/** Everybody with an active account whom the user may see, bots too. */
export const knownPeople = computed(() => read('people').realm_users.filter((each) => !isStranger(each)));
