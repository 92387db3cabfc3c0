import { composeMail } from './index';

const words = { subject: 'Hello', paragraphs: ['How are you?'], footer: 'You asked for it.' };
const action = { label: 'Join', url: 'https://chat.example/join/abc/?a=1&b=2' };

test('text and HTML say the same', () => {
  const { subject, text, html } = composeMail({ ...words, quote: 'one\ntwo', action });
  expect(subject).toBe('Hello');
  expect(text).toBe(`How are you?

> one
> two

Join:
https://chat.example/join/abc/?a=1&b=2

-- 
You asked for it.
`);
  for (const said of ['How are you?', 'one\ntwo', '>Join</a>', 'You asked for it.', '<title>Hello</title>']) {
    expect(html).toContain(said);
  }
  expect(html).toContain('href="https://chat.example/join/abc/?a=1&amp;b=2"');
  expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
});

test('texts of users are escaped', () => {
  const evil = `<img src=x onerror="alert('1')"> & </p><script>`;
  const { html } = composeMail({ subject: evil, paragraphs: [evil], quote: evil, footer: evil });
  const escaped = '&lt;img src=x onerror=&quot;alert(&#x27;1&#x27;)&quot;&gt; &amp; &lt;/p&gt;&lt;script&gt;';
  expect(html.split(escaped)).toHaveLength(5);
  expect(html).not.toMatch(/<img|<script/);
});

test.each([
  ['a\r\nBcc: eve@example.com', 'a Bcc: eve@example.com'],
  ['a\0\x1b[31m b', 'a [31m b'],
  ['a\u202eb\u2066c\u2028d', 'a b c d'],
  ['Ж'.repeat(300), `${'Ж'.repeat(199)}…`],
])('a subject is one short line: %j', (given, expected) => {
  expect(composeMail({ ...words, subject: given }).subject).toBe(expected);
});
