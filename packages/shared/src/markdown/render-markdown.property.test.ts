import fc from 'fast-check';
import { renderOrRefuse } from '../../test/rendering-time';
import { allowedHtml } from './sanitise/allowed-html';
import { sanitise } from './sanitise/sanitise';

/** Random sequences of markup find more errors than random characters. */
const pieces = [
  ...[
    '*',
    '**',
    '***',
    '~~',
    '`',
    '``',
    '```',
    '~~~',
    '$$',
    '@',
    '@**',
    '@_**',
    '**',
    '#**',
    '>',
    '[',
    ']',
    '](',
    ')',
    '(',
  ],
  ...[
    '# ',
    '- ',
    '1. ',
    '  ',
    '    ',
    '> ',
    '\n',
    '\n\n',
    '|',
    '|-|',
    '---',
    '<time:',
    '<',
    '&',
    '&lt;',
    '&#x6a;',
    ';',
    '"',
  ],
  ...[
    'King Hamlet',
    'Verona',
    'support',
    'all',
    ':smile:',
    '🙂',
    '\u200d',
    '#12',
    'http://a.com/',
    'a.com',
    'x@y.z',
    '/',
  ],
  ...[
    'javascript:',
    'quote',
    'spoiler ',
    'math',
    'python',
    '\\frac',
    '{',
    '}',
    '<script>',
    'onerror=',
    "'",
    '\\',
    'a',
    '1',
  ],
  ...[
    '![',
    '](/user_uploads/1/a.png)',
    'http://a.com/x.png',
    ':tada:',
    '@*',
    '@_*',
    'R&D <x>*',
    '>a@5**',
    '```py\n',
    '```\n',
  ],
  ...['\u0002', '\u0003', '\u{100000}', '\ud800', '\t', '\r', '\u0000', '//', '%', '2017-06-05'],
];
const markup = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join(''));
const anything = fc.oneof(
  markup,
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.tuple(markup, fc.string()).map((both) => both.join('')),
);

test('every input gives allowed markup only, or the documented error', () => {
  void fc.assert(
    fc.property(anything, (content) => {
      const html = renderOrRefuse(content);
      expect(sanitise(html)).toBe(html);
      expect(notAllowedIn(html)).toEqual([]);
    }),
    { numRuns: 3_000 },
  );
});

/** Parses tags and attributes without the sanitizer; in our HTML every angle bracket belongs to a tag. */
function notAllowedIn(html: string): string[] {
  return [...html.matchAll(/<\/?([^\s>/]*)([^>]*)>?/g)].flatMap(([, tag = '', rest = '']) => {
    const attributes = [...rest.matchAll(/ ([^=\s]+)="([^"]*)"/g)];
    const leftOver = rest.replaceAll(/ [^=\s]+="[^"]*"/g, '').replace(/\/$/, '');
    const refused = attributes.filter(([, name = '', value = '']) => !isAllowed(allowedHtml[tag]?.[name], value));
    return [
      ...(allowedHtml[tag] ? [] : [tag]),
      ...(leftOver === '' ? [] : [leftOver]),
      ...refused.map(([attribute]) => attribute),
    ];
  });
}

function isAllowed(rule: RegExp | ((value: string) => boolean) | undefined, value: string): boolean {
  return rule instanceof RegExp ? rule.test(value) : rule?.(value) === true;
}
