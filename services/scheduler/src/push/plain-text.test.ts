import { plainText } from './plain-text';

test.each([
  ['a paragraph', '<p>Hello  <strong>you</strong></p>', 'Hello you'],
  ['paragraphs and breaks', '<p>one<br>\ntwo</p>\n<p>three</p>', 'one\ntwo\nthree'],
  [
    'entities',
    '<p>a &lt;b&gt; &amp;amp; &#39;c&#39; &#x1F600; &nbsp;d &unknown;</p>',
    "a <b> &amp; 'c' 😀 d &unknown;",
  ],
  [
    'an emoji by its description',
    '<p>well <img alt=":parley:" class="emoji" src="/x.png" title="parley"></p>',
    'well :parley:',
  ],
  ['a mention', '<p><span class="user-mention" data-user-id="3">@Bo</span> come</p>', '@Bo come'],
  [
    'no spoilers',
    '<div class="spoiler-block"><div class="spoiler-header"><p>Ending</p></div><div class="spoiler-content" aria-hidden="true"><p>he <b>dies</b><br></p></div></div><p>sad</p>',
    'Ending\nsad',
  ],
  [
    'formulas once',
    '<p><span class="katex"><span class="katex-mathml"><math><mi>x</mi><annotation encoding="application/x-tex">x</annotation></math></span><span class="katex-html" aria-hidden="true"><span>x</span></span></span></p>',
    'x',
  ],
  ['attributes with brackets', '<p><a href="/a" title="a > b">link</a></p>', 'link'],
  ['nothing', '', ''],
])('%s', (_name, html, text) => {
  expect(plainText(html, 100)).toBe(text);
});

test('is cut between characters', () => {
  expect(plainText(`<p>${'a'.repeat(20)}</p>`, 10)).toBe(`${'a'.repeat(9)}…`);
  expect(plainText('<p>aaaa😀😀</p>', 6)).toBe('aaaa…');
});

test('takes no longer for hostile texts', () => {
  const began = process.cpuUsage();
  for (const html of ['<'.repeat(50_000), '<a "'.repeat(20_000), '&#'.repeat(50_000), '<p x="'.repeat(10_000)]) {
    plainText(html, 300);
  }
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(500);
});
