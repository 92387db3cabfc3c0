import '../../test/empty-page';
import { registered } from '../../test/registered';
import { takeNews } from './model';
import { names } from './names';

test('somebody is found by a new name at once, and told from another one who has it already', () => {
  const state = registered();
  const people = ['Bo Lund', 'Cy Marsh'].map((full_name, at) => ({
    user_id: 12 + at,
    full_name,
    email: `p${at}@parley.test`,
    is_bot: false,
  }));
  Object.assign(state, { realm_users: people, realm_non_active_users: [], cross_realm_bots: [] });
  takeNews({ kind: 'state', state });
  const rename = (id: number, full_name: string) =>
    takeNews({
      kind: 'events',
      events: [{ id, type: 'realm_user', op: 'update', person: { user_id: 13, full_name } }],
    });
  expect(names.personId('cy marsh')).toBe(13);
  rename(1, 'Cy Lake');
  expect([names.personId('cy lake'), names.personId('cy marsh')]).toEqual([13, undefined]);
  rename(2, 'Bo Lund');
  expect([12, 13].map(names.personName)).toEqual(['Bo Lund|12', 'Bo Lund|13']);
});
