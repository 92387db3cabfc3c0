import { inOneLine } from './failures';

test.each([
  ['an error', new Error('No such user'), 'No such user'],
  ['lines', new Error(' first\n  second\n'), 'first; second'],
  ['what is no error', 'broken', 'broken'],
  ['codes for a terminal', new Error('no "\u001b[31mred\r\u009b"'), 'no "\uFFFD[31mred\uFFFD\uFFFD"'],
  [
    'a long value',
    new Error(`"${'x'.repeat(20_000)}" is no number`),
    `"${'x'.repeat(799)}…${'x'.repeat(186)}" is no number`,
  ],
])('%s', (_what, error, line) => {
  expect(inOneLine(error)).toBe(line);
});
