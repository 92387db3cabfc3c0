import exampleFacts from './corpus/example-facts.json';
import { topicLinks } from './topic-links';

test.each([
  ['no link', 'lunch', []],
  ['a linkifier', 'fix #12 now', [['#12', 'https://trac.example.com/ticket/12']]],
  ['a URL', 'see http://example.com/a', [['http://example.com/a', 'http://example.com/a']]],
  ['a URL without a scheme is https', 'see example.com/a', [['example.com/a', 'https://example.com/a']]],
  [
    'punctuation ends a URL',
    'example.com, (example.org)!',
    [
      ['example.com', 'https://example.com'],
      ['example.org', 'https://example.org'],
    ],
  ],
  [
    'by position',
    'example.com #12',
    [
      ['example.com', 'https://example.com'],
      ['#12', 'https://trac.example.com/ticket/12'],
    ],
  ],
  [
    'each character that separates addresses',
    'a.com b.com!c.com;d.com)e.com,f.com\'g.com"h.com',
    [...'abcdefgh'].map((letter) => [`${letter}.com`, `https://${letter}.com`]),
  ],
  ['an e-mail address', 'ask a@example.com', [['a@example.com', 'mailto:a@example.com']]],
  ['parts of words are none', 'x#12 #12x main.py', []],
  [
    'a linkifier after the place of an address',
    '#1 a.com #2',
    [
      ['#1', 'https://trac.example.com/ticket/1'],
      ['a.com', 'https://a.com'],
      ['#2', 'https://trac.example.com/ticket/2'],
    ],
  ],
  ['where two overlap the earlier linkifier wins', 'CVE-12', [['CVE-12', 'https://jira.example.com/CVE/12']]],
  ['no other scheme', 'javascript:alert(1) ftp://example.com', []],
])('%s', (_name, topic, links) => {
  expect(topicLinks(topic, exampleFacts)).toEqual(links.map(([text, url]) => ({ text, url })));
});

test('a linkifier wins over a URL that overlaps it', () => {
  const linkifiers = [
    { id: 1, pattern: 'https://example.com/(?P<id>[0-9]+)', urlTemplate: 'https://other.example.com/{id}' },
  ];
  expect(topicLinks('https://example.com/7', { linkifiers })).toEqual([
    { text: 'https://example.com/7', url: 'https://other.example.com/7' },
  ]);
});

test('a linkifier never leads to an address that could run code', () => {
  const linkifiers = [
    { id: 1, pattern: 'run(?P<code>[0-9]+)', urlTemplate: 'javascript:alert({code})' },
    { id: 2, pattern: '(?P<address>[a-z]+:x)', urlTemplate: '{+address}' },
  ];
  expect(topicLinks('run7 javascript:x mailto:x', { linkifiers })).toEqual([{ text: 'mailto:x', url: 'mailto:x' }]);
});
