import '../../test/empty-page';
import { effect } from '@preact/signals';
import { registered } from '../../test/registered';
import { takeNews } from './model';
import { ownGroupIds } from './own-groups';

const DESIGN = { id: 7, name: 'design', members: [12], direct_subgroup_ids: [] };

test('the set of own groups is another one when its groups change, not with each change of people', () => {
  const state = registered();
  const people = [{ user_id: 12, full_name: 'Bo', email: 'bo@parley.test', is_bot: false }];
  Object.assign(state, { realm_users: people, realm_non_active_users: [], cross_realm_bots: [] });
  state['realm_user_groups'] = [...(state['realm_user_groups'] as object[]), { ...DESIGN }];
  takeNews({ kind: 'state', state });
  const seen: number[][] = [];
  const stop = effect(() => void seen.push([...ownGroupIds.value]));
  for (const full_name of ['Bo B.', 'Bo C.'])
    take({ type: 'realm_user', op: 'update', person: { user_id: 12, full_name } });
  take({ type: 'user_group', op: 'add_members', group_id: DESIGN.id, user_ids: [11] });
  take({ type: 'user_group', op: 'remove_members', group_id: DESIGN.id, user_ids: [12] });
  stop();
  expect(seen).toEqual([[1], [1, 7]]);
});

let lastId = 0;
function take(event: { type: string; [name: string]: unknown }): void {
  lastId += 1;
  takeNews({ kind: 'events', events: [{ id: lastId, ...event }] });
}
