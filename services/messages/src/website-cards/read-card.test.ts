import { readCard } from './read-card';

const PAGE = 'https://example.com/dir/page';
const IMAGE = '<meta property="og:image" content="https://example.com/i.png">';
const card = { title: '', description: '', imageUrl: 'https://example.com/i.png' };

test.each([
  ['a picture is enough', IMAGE, card],
  ['there is none without one', '<title>T</title><meta property="og:title" content="T">', null],
  [
    'Open Graph comes before the rest',
    `<title>t</title><meta name=description content=d><meta property="og:title" content="T"><meta property="og:description" content="D">${IMAGE}`,
    { ...card, title: 'T', description: 'D' },
  ],
  [
    'the rest does without it',
    `<TITLE>t &amp; u</TITLE><META NAME="Description" CONTENT="d">${IMAGE}`,
    { ...card, title: 't & u', description: 'd' },
  ],
  ['names may be names', '<meta name="og:image" content="https://example.com/i.png">', card],
  ['the first counts', `${IMAGE}<meta property="og:image" content="https://example.com/2.png">`, card],
  ['other names of a picture', '<meta property="og:image:secure_url" content="https://example.com/i.png">', card],
  [
    'an address is one relative to the page',
    '<meta property="og:image" content="../i.png">',
    { ...card, imageUrl: 'https://example.com/i.png' },
  ],
  ['of the web', '<meta property="og:image" content="data:image/png;base64,AAAA">', null],
  ['without credentials', '<meta property="og:image" content="https://a:b@example.com/">', null],
  ['that is one', '<meta property="og:image" content="http://[">', null],
  ['of some length', `<meta property="og:image" content="/${'x'.repeat(2_000)}">`, null],
  ['what the body says is not heard', `<head></head><body>${IMAGE}`, null],
  ['an icon has a title of its own', `<title>T</title>${IMAGE}<svg><title>icon</title></svg>`, { ...card, title: 'T' }],
  ['text is one line', `${IMAGE}<title>\n a\u0000\n\tb \n</title>`, { ...card, title: 'a b' }],
  ['text has an end', `${IMAGE}<title>${'x'.repeat(400)}</title>`, { ...card, title: `${'x'.repeat(299)}…` }],
  ['what is broken is read as far as it goes', `<html><meta <<<${IMAGE}<title>T`, { ...card, title: 'T' }],
])('%s', (_what, html, expected) => {
  expect(readCard(html, PAGE)).toEqual(expected);
});
