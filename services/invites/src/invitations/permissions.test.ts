import { ROLE_VALUES } from '@parley/shared/values';
import { isTooNew, requireMayInviteAs, requireMayManage, requireMayWelcome } from './permissions';

const OWNER = { code: 'UNAUTHORIZED_PRINCIPAL', message: 'Must be an organization owner' };
const ADMINISTRATOR = { code: 'BAD_REQUEST', message: 'Must be an organization administrator' };

function refusal(check: () => void): unknown {
  try {
    check();
    return null;
  } catch (error) {
    return error;
  }
}

test.each([
  [100, 100, null],
  [200, 100, OWNER],
  [300, 100, OWNER],
  [400, 100, OWNER],
  [200, 200, null],
  [300, 200, ADMINISTRATOR],
  [400, 200, ADMINISTRATOR],
  [300, 300, null],
  [400, 300, ADMINISTRATOR],
  [400, 400, null],
  [400, 600, null],
])('role %i invites as %i', (role, invitedAs, expected) => {
  expect(refusal(() => requireMayInviteAs({ role }, invitedAs))).toEqual(
    expected === null ? null : expect.objectContaining(expected),
  );
});

test('inviters cannot grant a role above their own', () => {
  for (const role of ROLE_VALUES) {
    for (const invitedAs of ROLE_VALUES) {
      expect(refusal(() => requireMayInviteAs({ role }, invitedAs)) === null).toBe(invitedAs >= role);
    }
  }
});

// Rows: role of the caller, whether they invited, role in the invitation.
test.each([
  [400, true, 100, null],
  [400, false, 400, ADMINISTRATOR],
  [300, false, 600, ADMINISTRATOR],
  [400, false, 100, OWNER],
  [200, false, 100, OWNER],
  [200, false, 200, null],
  [100, false, 100, null],
])('role %i manages an invitation, their own: %s, as %i', (role, isOwn, invitedAs, expected) => {
  const invitation = { referrerId: isOwn ? 4 : 5, invitedAs };
  expect(refusal(() => requireMayManage({ id: 4, role }, invitation))).toEqual(
    expected === null ? null : expect.objectContaining(expected),
  );
});

test.each([
  [100, 'Hi', null],
  [200, '', null],
  [300, undefined, null],
  [300, '', ADMINISTRATOR],
  [400, 'Hi', ADMINISTRATOR],
])('role %i welcomes with %j', (role, text, expected) => {
  expect(refusal(() => requireMayWelcome({ role }, text))).toEqual(
    expected === null ? null : expect.objectContaining(expected),
  );
});

const DAY_MS = 24 * 60 * 60_000;

test.each([
  [400, false, 3 * DAY_MS - 1, true],
  [300, false, 0, true],
  [400, false, 3 * DAY_MS, false],
  [400, true, 0, false],
  [200, false, 0, false],
])('role %i, invitations required: %s, after %i ms: too new is %s', (role, isRequired, ageMs, expected) => {
  expect(isTooNew({ role, joinedAtMs: 1_000 }, isRequired, 1_000 + ageMs)).toBe(expected);
});
