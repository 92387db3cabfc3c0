import { ROLES } from '@parley/shared/values';
import { requireMayEditValue } from './permissions';

// Rows: may edit a value in a field that users may edit, and in one that they may not.
test.each([
  ['owner', true, true],
  ['administrator', true, true],
  ['moderator', true, false],
  ['member', true, false],
  ['guest', true, false],
] as const)('what a %s may say in a profile', (name, ...expected) => {
  const mayEdit = (isEditableByUser: boolean) => {
    try {
      requireMayEditValue({ isEditableByUser }, { role: ROLES[name] });
      return true;
    } catch {
      return false;
    }
  };
  expect([mayEdit(true), mayEdit(false)]).toEqual(expected);
});
