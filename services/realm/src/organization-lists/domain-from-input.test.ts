import { domainFromInput } from './allowed-domains';

test.each([
  ['example.com', 'example.com'],
  [' Mail.EXAMPLE.co.uk ', 'mail.example.co.uk'],
  ['a-b.c1', 'a-b.c1'],
])('the domain %j is %s', (text, expected) => {
  expect(domainFromInput(text)).toBe(expected);
});

test.each([
  [' ', "Domain can't be empty."],
  ['example', 'Domain must have at least one dot (.)'],
  [`${'a'.repeat(252)}.com`, 'Domain is too long'],
  ['.example.com', 'Domain cannot start or end with a dot (.)'],
  ['example.com.', 'Domain cannot start or end with a dot (.)'],
  ['example..com', "Consecutive '.' are not allowed."],
  ['-example.com', "Subdomains cannot start or end with a '-'."],
  ['exam_ple.com', "Domain can only have letters, numbers, '.' and '-'s."],
  ['exämple.com', "Domain can only have letters, numbers, '.' and '-'s."],
  ['a\0.com', "Domain can only have letters, numbers, '.' and '-'s."],
])('the domain %j is refused', (text, problem) => {
  expect(() => domainFromInput(text)).toThrow(`Invalid domain: ${problem}`);
});
