import { computed } from '@preact/signals';
import { isReady, read } from './model';

let known: ReadonlySet<number> = new Set();

/**
 * The groups that the person is in. It stays the same set while it has the same groups, whatever changes among people: all messages
 * on the screen are made anew with it.
 */
export const ownGroupIds = computed(() => {
  if (!isReady.value) return known;
  const { user_id: userId, realm_user_groups: groups = [] } = read('people');
  const ids = new Set(groups.filter(({ members }) => members.includes(userId)).map(({ id }) => id));
  const isSame = ids.size === known.size && [...ids].every((id) => known.has(id));
  if (!isSame) known = ids;
  return known;
});
