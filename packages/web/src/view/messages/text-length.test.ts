import { isLong } from './text-length';

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`);

test.each([
  ['nothing', '', false],
  ['a word', '<p>Hello</p>', false],
  ['40 lines', `<p>${lines(40).join('<br>\n')}</p>`, false],
  ['41 lines', `<p>${lines(41).join('<br>\n')}</p>`, true],
  ['41 lines of code', `<pre><code>${lines(41).join('\n')}</code></pre>`, true],
  ['700 words', `<p>${'word '.repeat(700)}</p>`, false],
  ['900 words', `<p>${'word '.repeat(900)}</p>`, true],
  ['a long address', `<p><a href="https://example.com/${'x'.repeat(9_000)}">link</a></p>`, false],
])('%s: not seen at once is what fills more than a screen', (_, html, expected) => {
  expect(isLong(html)).toBe(expected);
});
