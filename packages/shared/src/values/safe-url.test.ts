import { isSafeUrl, isSafeUrlTemplate } from './safe-url';
import { isWebUrl } from './web-url';

test.each([
  ['https://example.com/a', true],
  ['HTTP://example.com', true],
  ['mailto:a@example.com', true],
  ['/user_uploads/1', true],
  ['#narrow/channel/1', true],
  ['', true],
  ['javascript:alert(1)', false],
  ['JavaScript:alert(1)', false],
  [' \u0001javascript:alert(1)', false],
  ['java\nscript:alert(1)', false],
  ['data:text/html,x', false],
  ['vbscript:x', false],
  ['blob:https://example.com/x', false],
])('%j may be followed: %s', (url, expected) => {
  expect(isSafeUrl(url)).toBe(expected);
});

test.each([
  ['https://example.com/{id}', true],
  ['https://{host}/a{?b,c*}', true],
  ['/docs/{id}', true],
  ['{id}', true],
  ['{#id}', true],
  ['mailto:{who}@example.com', true],
  ['javascript:alert({id})', false],
  ['JAVASCRIPT:{id}', false],
  ['java{x}:alert(1)', false],
  ['{scheme}:alert(1)', false],
  ['{a}{b}:alert(1)', false],
  ['{+id}', false],
  ['data:text/html,{id}', false],
])('the template %j leads to safe addresses: %s', (template, expected) => {
  expect(isSafeUrlTemplate(template)).toBe(expected);
});

test.each([
  ['https://example.com/a?b=c', true],
  ['http://localhost:9991', true],
  ['mailto:a@example.com', false],
  ['https://', false],
  ['https://a b', false],
  ['example.com', false],
])('%j is an address of the web: %s', (url, expected) => {
  expect(isWebUrl(url)).toBe(expected);
});
