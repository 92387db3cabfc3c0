import type { Group, SupportedPermission } from '../../store/model';
import { canHold, holdersOf, settingOf } from './holders';

const NOBODY = 8;

test.each([
  [3, 3],
  [NOBODY, NOBODY],
  [{ direct_members: [], direct_subgroups: [] }, NOBODY],
  [{ direct_members: [], direct_subgroups: [3] }, 3],
  [{ direct_members: [], direct_subgroups: [NOBODY, 3] }, 3],
  [
    { direct_members: [4], direct_subgroups: [NOBODY, 3] },
    { direct_members: [4], direct_subgroups: [3] },
  ],
])('%j is written as %j', (value, written) => {
  expect(settingOf(holdersOf(value), NOBODY)).toEqual(written);
});

const permission: SupportedPermission = {
  ...{ require_system_group: false, allow_nobody_group: true, allow_everyone_group: false },
  ...{ default_group_name: 'role:members', allowed_system_groups: [] },
};
const group = (name: string, changes: Partial<Group> = {}) =>
  ({ name, is_system_group: name.startsWith('role:'), deactivated: false, ...changes }) as Group;

test.each<[string, Group, Partial<SupportedPermission>, boolean]>([
  ['a role', group('role:members'), {}, true],
  ['the internet', group('role:internet'), {}, false],
  ['everybody, guests too', group('role:everyone'), {}, false],
  ['everybody where that is allowed', group('role:everyone'), { allow_everyone_group: true }, true],
  ['nobody', group('role:nobody'), {}, true],
  ['people’s groups', group('engineers'), {}, true],
  ['people’s groups where roles are needed', group('engineers'), { require_system_group: true }, false],
  ['a deactivated group', group('engineers', { deactivated: true }), {}, false],
  ['a role that is not listed', group('role:members'), { allowed_system_groups: ['role:owners'] }, false],
])('%s can have a permission: %#', (_, each, changes, isAllowed) => {
  expect(canHold(each, { ...permission, ...changes })).toBe(isAllowed);
});
