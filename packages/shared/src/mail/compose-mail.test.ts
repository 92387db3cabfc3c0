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

test('conversations have a heading with a link, and what was said there, by whom', () => {
  const sections = [
    {
      ...{ heading: 'general > lunch', url: 'https://chat.example/#narrow/channel/1?a&b' },
      quotes: [{ caption: 'Dan, 14:05', text: 'Soup?\nOr not' }, { text: 'Anyone?' }, { caption: 'Eve', text: '' }],
    },
    { heading: 'Direct', quotes: [] },
  ];
  const { text, html } = composeMail({ ...words, sections });
  expect(text).toContain(`* general > lunch
https://chat.example/#narrow/channel/1?a&b

Dan, 14:05:
> Soup?
> Or not

> Anyone?

Eve:

* Direct

-- `);
  expect(html).toContain('<a href="https://chat.example/#narrow/channel/1?a&amp;b">general &gt; lunch</a></h2>');
  expect(html.split('<blockquote')).toHaveLength(3);
});

test('a mail is in its language, and says how to end such mails', () => {
  const unsubscribeUrl = 'https://chat.example/unsubscribe/1-2-x';
  const { text, html, headers } = composeMail({ ...words, language: 'de', action, unsubscribeUrl });
  expect(html).toContain('<html lang="de">');
  expect(html).toContain('Oder diese Adresse kopieren: <a');
  expect(text).toContain(`You asked for it.\nKeine Mails dieser Art mehr senden:\n${unsubscribeUrl}\n`);
  expect(html).toContain(`<a href="${unsubscribeUrl}">Keine Mails dieser Art mehr senden</a>`);
  expect(headers).toEqual({ unsubscribeUrl });
});

test('without texts in a language, a mail says that it is English', () => {
  expect(composeMail({ ...words, language: 'fr' }).html).toContain('<html lang="en">');
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
