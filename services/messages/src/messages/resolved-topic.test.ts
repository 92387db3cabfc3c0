import { toggleOf } from './resolved-topic';

const LONG = 'x'.repeat(60);

test.each([
  ['lunch', '✔ lunch', 'resolved'],
  ['✔ lunch', 'lunch', 'unresolved'],
  [LONG, `✔ ${LONG}`, 'resolved'],
  [LONG, `✔ ${'x'.repeat(55)}...`, 'resolved'],
  ['lunch', '✔ dinner', null],
  ['lunch', 'dinner', null],
  ['✔ lunch', '✔ ✔ lunch', null],
  ['✔ ✔ lunch', '✔ lunch', null],
  ['✔ ✔ lunch', 'lunch', 'unresolved'],
  ['lunch', '✔lunch', null],
  ['ab✔ lunch', 'lunch', null],
])('from %p to %p is %p', (previous, next, toggle) => {
  expect(toggleOf(previous, next)).toBe(toggle);
});
