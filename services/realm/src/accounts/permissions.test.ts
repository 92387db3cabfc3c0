import {
  mayAdminister,
  requireMayAdminister,
  requireMayChangeEmails,
  requireMayChangeRole,
  requireMayCreateUsers,
  requireMayDeactivate,
} from './permissions';

const OWNER_REQUIRED = 'Must be an organization owner';
const ADMINISTRATOR_REQUIRED = 'Must be an organization administrator';
const ROLES = [100, 200, 300, 400, 600];

const answerOf = (guard: () => void): string | null => {
  try {
    guard();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

test('administrators administer everybody; owners of bots administer their bots, in any role', () => {
  const person = { id: 5, role: 400, isBot: false };
  const bot = { id: 6, role: 200, isBot: true, botOwnerId: 9 };
  expect(ROLES.map((role) => mayAdminister({ id: 1, role }, person))).toEqual([true, true, false, false, false]);
  expect(ROLES.map((role) => mayAdminister({ id: 1, role }, bot))).toEqual([true, true, false, false, false]);
  expect(ROLES.map((role) => mayAdminister({ id: 9, role }, bot))).toEqual([true, true, true, true, true]);
  expect(mayAdminister({ id: 5, role: 400 }, person)).toBe(false);
});

test('bots with the role of owner are administered by owners only', () => {
  const bot = { id: 6, role: 100, isBot: true, botOwnerId: 9 };
  const answers = ROLES.map((role) => answerOf(() => requireMayAdminister({ id: 9, role }, bot)));
  expect(answers).toEqual([null, ...Array(4).fill(OWNER_REQUIRED)]);
  expect(answerOf(() => requireMayAdminister({ id: 1, role: 100 }, bot))).toBe(null);
  expect(answerOf(() => requireMayAdminister({ id: 1, role: 200 }, bot))).toBe(OWNER_REQUIRED);
  expect(answerOf(() => requireMayAdminister({ id: 1, role: 400 }, bot))).toBe('Insufficient permission');
});

// Rows: actor; the account's role and the new one; the expected answer.
test.each([
  [100, 400, 100, null],
  [200, 400, 100, OWNER_REQUIRED],
  [200, 100, 400, OWNER_REQUIRED],
  [100, 100, 400, null],
  [200, 400, 200, null],
  [200, 200, 600, null],
  [200, 600, 400, null],
  [200, 600, 300, null],
  [300, 400, 300, ADMINISTRATOR_REQUIRED],
  [400, 400, 600, ADMINISTRATOR_REQUIRED],
  [400, 400, 100, OWNER_REQUIRED],
  [100, 600, 200, 'Guests cannot be organization administrators'],
  [100, 600, 100, 'Guests cannot be organization administrators'],
  [200, 600, 100, OWNER_REQUIRED],
])('role %i makes an account of role %i one of role %i: %p', (actor, from, to, expected) => {
  expect(answerOf(() => requireMayChangeRole({ role: actor }, { role: from }, to, false))).toBe(expected);
});

test('the only owner keeps that role', () => {
  const text = 'The owner permission cannot be removed from the only organization owner.';
  expect(answerOf(() => requireMayChangeRole({ role: 100 }, { role: 100 }, 200, true))).toBe(text);
  expect(
    answerOf(() => requireMayDeactivate({ role: 100 }, { role: 100 }, { isLastOwner: true, ownsOwnersBot: false })),
  ).toBe('Cannot deactivate the only organization owner');
});

test('only owners deactivate owners, and owners of bots with that role', () => {
  const answers = (role: number, ownsOwnersBot = false) =>
    [100, 200].map((actor) =>
      answerOf(() => requireMayDeactivate({ role: actor }, { role }, { isLastOwner: false, ownsOwnersBot })),
    );
  expect(answers(100)).toEqual([null, OWNER_REQUIRED]);
  expect(answers(200)).toEqual([null, null]);
  expect(answers(200, true)).toEqual([null, OWNER_REQUIRED]);
  expect(answers(400, true)).toEqual([null, OWNER_REQUIRED]);
});

test('creating accounts requires an administrator with the operator’s permission', () => {
  const answers = (isPermitted: boolean) =>
    ROLES.map((role) => answerOf(() => requireMayCreateUsers({ role }, isPermitted)));
  expect(answers(true)).toEqual([null, null, ADMINISTRATOR_REQUIRED, ADMINISTRATOR_REQUIRED, ADMINISTRATOR_REQUIRED]);
  expect(answers(false).slice(0, 3)).toEqual([
    'User not authorized to create users',
    'User not authorized to create users',
    ADMINISTRATOR_REQUIRED,
  ]);
});

test('changing addresses requires an owner with the operator’s permission', () => {
  const text = 'User not authorized to change user emails';
  expect(ROLES.map((role) => answerOf(() => requireMayChangeEmails({ role }, true)))).toEqual([
    null,
    text,
    text,
    text,
    text,
  ]);
  expect(answerOf(() => requireMayChangeEmails({ role: 100 }, false))).toBe(text);
});
