import { ROLES } from '@parley/shared/values';
import { isInGroup, isInSystemGroup } from './permissions';
import { SYSTEM_GROUPS } from './system-groups';

const { owner, administrator, moderator, member, guest } = ROLES;

describe('membership of system groups', () => {
  test.each([
    ['role:internet', [owner, administrator, moderator, member, guest]],
    ['role:everyone', [owner, administrator, moderator, member, guest]],
    ['role:members', [owner, administrator, moderator, member]],
    ['role:fullmembers', [owner, administrator, moderator, member]],
    ['role:moderators', [owner, administrator, moderator]],
    ['role:administrators', [owner, administrator]],
    ['role:owners', [owner]],
    ['role:nobody', []],
    ['role:unheard-of', []],
  ])('%s holds %p', (name, roles) => {
    expect(Object.values(ROLES).filter((role) => isInSystemGroup(name, role))).toEqual(roles);
  });

  test('follows from direct members and nesting: every group holds what the group inside it holds', () => {
    for (const { name, directRole, subgroup } of SYSTEM_GROUPS) {
      for (const role of Object.values(ROLES)) {
        const isInside = subgroup !== null && isInSystemGroup(subgroup, role);
        expect([name, role, isInSystemGroup(name, role)]).toEqual([name, role, role === directRole || isInside]);
      }
    }
  });
});

describe('membership of any group', () => {
  test.each([
    ['listed in it', { systemGroups: [], isListed: true }, guest, true],
    ['not listed in it', { systemGroups: [], isListed: false }, owner, false],
    ['of a role in a system group inside it', { systemGroups: ['role:moderators'], isListed: false }, moderator, true],
    ['of a lesser role', { systemGroups: ['role:moderators'], isListed: false }, member, false],
    ['an owner, where nobody is allowed', { systemGroups: ['role:nobody'], isListed: false }, owner, false],
  ])('someone %s', (_who, reach, role, isMember) => {
    expect(isInGroup(reach, role)).toBe(isMember);
  });
});
