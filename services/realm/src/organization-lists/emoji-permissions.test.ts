import type { User } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import type { Actor } from '../actors/actor';
import { mayAddEmoji, mayDeactivateEmoji, mayOverrideBuiltIn } from './emoji-permissions';

const AUTHOR_ID = 5;
const MEMBERS = 70;
const emoji = { authorId: AUTHOR_ID };
const group = (groupId: number) => ({
  can_add_custom_emoji_group: { groupId, directMemberIds: [], directSubgroupIds: [] },
});

function anActor(role: number, groupIds: number[]): Actor {
  const user = { id: 9, role, isActive: true } as User;
  return { user, isFullMember: true, groupIds: new Set(groupIds) };
}

// Rows: override built-in emoji, deactivate others' emoji, deactivate own.
test.each([
  ['owner', true, true, true],
  ['administrator', true, true, true],
  ['moderator', false, false, true],
  ['member', false, false, true],
  ['guest', false, false, true],
] as const)('what a %s may do with custom emoji', (name, ...expected) => {
  const role = ROLES[name];
  expect([
    mayOverrideBuiltIn({ role }),
    mayDeactivateEmoji(emoji, { id: 9, role }),
    mayDeactivateEmoji(emoji, { id: AUTHOR_ID, role }),
  ]).toEqual(expected);
});

test('members of the group may add emoji, except guests; owners outside it may not', () => {
  expect(mayAddEmoji(anActor(ROLES.member, [MEMBERS]), group(MEMBERS))).toBe(true);
  expect(mayAddEmoji(anActor(ROLES.guest, [MEMBERS]), group(MEMBERS))).toBe(false);
  expect(mayAddEmoji(anActor(ROLES.owner, [MEMBERS]), group(MEMBERS + 1))).toBe(false);
});
