import { checkLinkifier } from './linkifier-input';

const BLANK = 'This field cannot be blank.';
const TEMPLATE = 'https://example.com/{id}';

function errorsOf(pattern: string, urlTemplate: string, others: string[] = []): [string, unknown] | null {
  try {
    checkLinkifier(
      { pattern, urlTemplate },
      others.map((other) => ({ pattern: other })),
    );
    return null;
  } catch (error) {
    const { message, fields } = error as Error & { fields: { errors: unknown } };
    return [message, fields.errors];
  }
}

test.each([
  ['#(?P<id>[0-9]+)', TEMPLATE],
  ['#(?<id>\\d+)', 'https://example.com/?q={id}&again={+id}'],
  ['(?P<org>\\w+)/(?P<repo>\\w+)#(?P<id>\\d+)', 'https://example.com{/org,repo}/issues/{id}'],
  ['FOO', 'https://example.com/foo'],
])('the pattern %s with the template %s is a linkifier', (pattern, urlTemplate) => {
  expect(errorsOf(pattern, urlTemplate)).toBeNull();
});

test.each([
  ['is a look-ahead', '(?P<id>a)(?=b)', TEMPLATE, /^Bad regular expression: .*\(\?=/],
  ['refers back', '(?P<id>a)\\1', TEMPLATE, /^Bad regular expression: /],
  ['has no end', '(?P<id>', TEMPLATE, /^Bad regular expression: /],
  ['is large once compiled', '(?P<id>(a{30}){30})', TEMPLATE, /^Bad regular expression: pattern too large$/],
  ['holds a control character', 'a\0(?P<id>b)', TEMPLATE, /^Bad regular expression: invalid character at position 2$/],
  [
    'lacks a group of the template',
    '(?P<zed>a)',
    'https://example.com/{id}{a}',
    /^Group 'a' in URL template is not present in linkifier pattern\.$/,
  ],
  [
    'has a group that the template lacks',
    '(?P<id>a)(?P<b>.)(?P<a>.)',
    TEMPLATE,
    /^Group 'a' in linkifier pattern is not present in URL template\.$/,
  ],
  ['is taken', '(?P<id>a)', TEMPLATE, /^A linkifier with this pattern already exists\.$/],
])('a pattern is refused that %s', (_why, pattern, urlTemplate, expected) => {
  const [message, errors] = errorsOf(pattern, urlTemplate, ['b', '(?P<id>a)']) ?? [];
  expect(message).toMatch(expected);
  expect(errors).toEqual({ __all__: [message] });
});

test.each(['javascript:alert({id})', '{id}:alert(1)', '{+id}'])(
  'the template %s leads to no safe address',
  (template) => {
    expect(errorsOf('(?P<id>[a-z]+)', template)).toEqual([
      'Invalid URL template.',
      { url_template: ['Invalid URL template.'] },
    ]);
  },
);

test('all errors are reported, those of single fields first', () => {
  expect(errorsOf('(', 'https://example.com/{')).toEqual([
    'Invalid URL template.',
    {
      url_template: ['Invalid URL template.'],
      __all__: [expect.stringContaining('Bad regular expression: ')],
    },
  ]);
  expect(errorsOf('', '')).toEqual([BLANK, { pattern: [BLANK], url_template: [BLANK] }]);
});

test('patterns and templates have a bound', () => {
  expect(errorsOf('a'.repeat(501), 'https://example.com/')?.[0]).toBe('pattern is too long (limit: 500 characters)');
  expect(errorsOf('a'.repeat(500), 'https://example.com/')).toBeNull();
  expect(errorsOf('a', `https://example.com/${'x'.repeat(1000)}`)?.[1]).toEqual({
    url_template: ['url_template is too long (limit: 1000 characters)'],
  });
});
