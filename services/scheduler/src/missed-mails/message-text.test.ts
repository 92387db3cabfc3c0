import { messageText } from './message-text';

const view = {
  url: 'https://chat.example',
  hidden: '[hidden]',
  picture: '[picture]',
  moment: (atMs: number) => `at ${atMs}`,
};
const CASES: [string, string, string][] = [
  ['paragraphs and lines', '<p>One<br>\ntwo</p>\n<p>three</p>', 'One\ntwo\n\nthree'],
  ['an empty line that was meant', '<p>One<br>\n<br>\ntwo</p>', 'One\n\ntwo'],
  ['lines in a quote', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>', '> a\n> b'],
  ['lines in a list', '<ul>\n<li>a<br>\nb</li>\n</ul>', '• a\n  b'],
  ['entities', '<p>a &lt;b&gt; &amp;amp; &quot;c&quot; &#128512;</p>', 'a <b> &amp; "c" 😀'],
  ['a quote', '<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>', '> a\n>\n> b'],
  ['lists', '<ul>\n<li>a</li>\n<li>b\n<ol start="3">\n<li>c</li>\n</ol>\n</li>\n</ul>', '• a\n• b\n  3. c'],
  [
    'code',
    '<div class="codehilite"><pre><span></span><code><span class="k">if</span> x:\n    y()\n</code></pre></div>',
    'if x:\n    y()',
  ],
  [
    'a table',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    'a | b\n1 | 2',
  ],
  ['a link', '<p><a href="https://example.com/?a=1&amp;b=2">this</a></p>', 'this <https://example.com/?a=1&b=2>'],
  ['a bare link', '<p><a href="https://example.com">https://example.com</a></p>', 'https://example.com'],
  [
    'a file',
    '<p><a href="/user_uploads/1/ab/x.pdf">x.pdf</a></p>',
    'x.pdf <https://chat.example/user_uploads/1/ab/x.pdf>',
  ],
  ['a channel', '<p><a class="stream" data-stream-id="1" href="/#narrow/channel/1-a">#a</a></p>', '#a'],
  ['a mention', '<p><span class="user-mention" data-user-id="1">@Dan</span> hi</p>', '@Dan hi'],
  ['emoji', '<p><span aria-label="x" class="emoji emoji-1f1e9-1f1ea" role="img" title="x">:flag:</span></p>', '🇩🇪'],
  ['a custom emoji', '<p><img alt=":party:" class="emoji" src="/x.png" title="party"></p>', ':party:'],
  ['a picture', '<p><img class="inline-image" src="/user_uploads/1"></p>', '[picture]'],
  ['a preview', '<p>a</p>\n<div class="message_inline_image"><a href="/x"><img src="/x"></a></div>', 'a'],
  [
    'a spoiler',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>End</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>He dies</p>\n</div></div>',
    'End\n\n[hidden]',
  ],
  [
    'a formula',
    '<p><span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span aria-hidden="true" class="katex-html"><span class="base">x2</span></span></span></p>',
    'x^2',
  ],
  ['a time', '<p><time datetime="1970-01-01T00:00:01Z">1970</time></p>', 'at 1000'],
  ['no markup of its own', '<p>&lt;img src=x&gt;</p>', '<img src=x>'],
];

test.each(CASES)('%s', (_name, html, expected) => {
  expect(messageText(html, view)).toBe(expected);
});

test('deeply nested content is flat below a depth', () => {
  const text = messageText(`${'<em>'.repeat(50_000)}x${'</em>'.repeat(50_000)}`, view);
  expect(text).toBe('x');
});
