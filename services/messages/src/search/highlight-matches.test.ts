import { markdownCorpus } from '@parley/shared/testing';
import { mapTextBetweenTags } from './highlight-matches';

const cases = Object.values(markdownCorpus()).flat();

function piecesOf(html: string): string[] {
  const pieces: string[] = [];
  mapTextBetweenTags(html, (text, tagName) => {
    pieces.push(`${tagName}: ${text}`);
    return text;
  });
  return pieces;
}

test.each<[string, string[]]>([
  ['<p>a <strong>b</strong> c</p>', ['p: a ', 'strong: b', 'p:  c']],
  ['<p>a<br>\nb <img alt="x > y" src="/1"> c</p>\n<hr>', ['p: a', 'p: \nb ', 'p:  c', ': \n']],
  ['<svg><path d="M1"/></svg> &lt;b&gt; "q"', [':  &lt;b&gt; "q"']],
  [`<a title='"> no'>yes</a>`, ['a: yes']],
  ['', []],
])('%s: text comes with the tag that it stands in, attributes do not', (html, pieces) => {
  expect(piecesOf(html)).toEqual(pieces);
});

test('all rendered tags are kept unchanged', () => {
  expect(cases.length).toBeGreaterThan(500);
  for (const { html } of cases) {
    expect(mapTextBetweenTags(html, (text) => text)).toBe(html);
    expect(mapTextBetweenTags(html, () => '')).toBe((html.match(/<[^<]*>/g) ?? []).join(''));
  }
});

test('text after a closed element belongs to the element around it', () => {
  expect(piecesOf('<ul>\n<li>a<ul><li>b</li></ul></li>\n<li>c</li></ul>').at(-1)).toBe('li: c');
});
