import { checkContent, normalizeContent } from './compose-message';

test.each([
  ['blank space at the end goes', 'a \n\t ', 'a'],
  ['empty lines at the beginning go, indentation stays', '\n\n  a', '  a'],
  ['10,000 code points stay', '😀'.repeat(10_000), '😀'.repeat(10_000)],
  ['more are cut, the mark included', 'a'.repeat(10_001), `${'a'.repeat(9_980)}\n[message truncated]`],
])('%s', (_, text, expected) => {
  expect(normalizeContent(text)).toBe(expected);
});

test.each([
  ['', 'Message must not be empty'],
  ['\n \t', 'Message must not be empty'],
  ['a\0b', 'Message must not contain null bytes'],
])('%j is refused', (text, expected) => {
  expect(() => checkContent(text)).toThrow(expected);
});
