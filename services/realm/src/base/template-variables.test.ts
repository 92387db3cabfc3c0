import { templateVariables } from './template-variables';

test.each<[string, string[] | null]>([
  ['https://example.com/', []],
  ['https://example.com/{id}', ['id']],
  ['https://example.com{/a,b*}{?c:20}{&d}{#e.f}{+g_1}', ['a', 'b', 'c', 'd', 'e.f', 'g_1']],
  ['https://example.com/ü?x=%20{a}{a}', ['a']],
  ['', []],
  ['https://example.com/{id', null],
  ['https://example.com/id}', null],
  ['https://example.com/{}', null],
  ['https://example.com/{a,}', null],
  ['https://example.com/{a b}', null],
  ['https://example.com/{!a}', null],
  ['https://example.com/{a:0}', null],
  ['https://example.com/ {a}', null],
  ['https://example.com/<{a}>', null],
  ['https://example.com/%zz', null],
  ['https://example.com/\0', null],
])('the variables of %j', (template, expected) => {
  const variables = templateVariables(template);
  expect(variables && [...variables]).toEqual(expected);
});
