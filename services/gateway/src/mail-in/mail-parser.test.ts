import { MailParser, UnreadableMailError } from './mail-parser';

const parser = new MailParser(20_000);
afterAll(() => parser.close());

function parse(mail: string | Buffer, wantsHtml = false) {
  return parser.parse([new Uint8Array(Buffer.from(mail))], wantsHtml);
}

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n`;
const HEAD = [
  'From: =?utf-8?q?J=C3=B6rg?= <joerg@example.org>',
  'Subject: =?utf-8?B?U3VwcGUg4pyU?=',
  'MIME-Version: 1.0',
];

test('one mail after the other is parsed, in order', async () => {
  const mails = [1, 2, 3].map((n) => parse(lines(`Subject: ${n}`, '', `text ${n}`)));
  expect((await Promise.all(mails)).map(({ subject, text }) => [subject, text.trim()])).toEqual([
    ['1', 'text 1'],
    ['2', 'text 2'],
    ['3', 'text 3'],
  ]);
});

test('sender, subject and headers are decoded', async () => {
  const mail = await parse(lines(...HEAD, 'Message-ID: <1@example.org>', 'X-Long: a', '  b', '', 'Hi'));
  expect(mail).toMatchObject({
    from: { name: 'Jörg', address: 'joerg@example.org' },
    subject: 'Suppe ✔',
    headers: { 'message-id': '<1@example.org>', 'x-long': 'a b' },
  });
});

test.each([
  ['UTF-8, quoted-printable', 'charset=utf-8', 'quoted-printable', 'Gr=C3=BC=C3=9Fe', 'Grüße'],
  ['ISO-8859-1', 'charset=iso-8859-1', 'quoted-printable', 'Gr=FC=DFe', 'Grüße'],
  ['Windows-1252, Base64', 'charset=windows-1252', 'base64', Buffer.from([0x80]).toString('base64'), '€'],
  ['KOI8-R', 'charset=koi8-r', 'quoted-printable', '=F0=D2=C9=D7=C5=D4', 'Привет'],
  ['Shift_JIS', 'charset=shift_jis', 'base64', Buffer.from([0x82, 0xb1]).toString('base64'), 'こ'],
  ['format=flowed', 'charset=utf-8; format=flowed', '7bit', 'one \r\nline\r\ntwo', 'one line\ntwo'],
])('text in %s is decoded', async (_what, type, encoding, body, expected) => {
  const head = [...HEAD, `Content-Type: text/plain; ${type}`, `Content-Transfer-Encoding: ${encoding}`];
  expect((await parse(lines(...head, '', body))).text.trim()).toBe(expected);
});

const html = (body: string) => lines(...HEAD, 'Content-Type: text/html; charset=utf-8', '', body);

test.each([
  ['<p>Soup <b>and</b> <i>bread</i></p><p>at<br>noon</p>', 'Soup **and** *bread*\n\nat  \nnoon'],
  ['<h1>Menu</h1><ul><li>Soup</li><li>Bread</li></ul>', '# Menu\n\n* Soup\n* Bread'],
  [
    '<a href="https://example.org/x">there</a> <a href="https://example.org">https://example.org</a>',
    '[there](https://example.org/x) https://example.org',
  ],
  ['<style>p{}</style><script>x()</script><img src="cid:logo">5 * 3 * 2_000', '5 * 3 * 2_000'],
  ['<blockquote>Soup?</blockquote><pre><code>x = 1</code></pre>', '> Soup?\n\n```\nx = 1\n```'],
])('the HTML %s becomes Markdown', async (body, expected) => {
  const { markdown, text } = await parse(html(body));
  expect(markdown.replace(/\* {3}/g, '* ').trim()).toBe(expected);
  expect(text.trim()).toBe('');
});

const BOTH = lines(
  ...HEAD,
  'Content-Type: multipart/alternative; boundary=b',
  '',
  '--b\r\nContent-Type: text/plain\r\n\r\nplain',
  '--b\r\nContent-Type: text/html\r\n\r\n<b>rich</b>',
  '--b--',
);

test('of a mail with both, the HTML is read on request only', async () => {
  expect(await parse(BOTH)).toMatchObject({ text: 'plain', markdown: '' });
  expect(await parse(BOTH, true)).toMatchObject({ text: 'plain', markdown: '**rich**' });
});

function withFiles(count: number): string {
  const file = (n: number) =>
    `--b\r\nContent-Type: text/x-log; name="${n}.log"\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(`file ${n}`).toString('base64')}`;
  const text = '--b\r\nContent-Type: text/plain\r\n\r\nfiles';
  const files = Array.from({ length: count }, (_, n) => file(n));
  return lines(...HEAD, 'Content-Type: multipart/mixed; boundary=b', '', text, ...files, '--b--');
}

test('files are decoded, up to a number; a mail within a mail is a file', async () => {
  const { text, attachments, droppedAttachments } = await parse(withFiles(23));
  expect([text.trim(), attachments.length, droppedAttachments]).toEqual(['files', 20, 3]);
  expect(attachments[1]).toMatchObject({ name: '1.log', contentType: 'text/x-log', isEmbedded: false });
  expect(Buffer.from(attachments[1]?.content ?? []).toString()).toBe('file 1');
  const inner = `--b\r\nContent-Type: message/rfc822\r\n\r\n${lines('Subject: inner', '', 'inner text')}`;
  const mail = await parse(lines(...HEAD, 'Content-Type: multipart/mixed; boundary=b', '', inner, '--b--'));
  expect(mail.attachments).toMatchObject([{ contentType: 'message/rfc822' }]);
  expect(mail.text.trim()).toBe('');
});

test('a mail that comes in parts of any size is the same', async () => {
  const bytes = Buffer.from(withFiles(2));
  const chunks = Array.from(
    { length: Math.ceil(bytes.length / 7) },
    (_, n) => new Uint8Array(bytes.subarray(n * 7, n * 7 + 7)),
  );
  expect((await parser.parse(chunks, false)).attachments).toHaveLength(2);
});

describe('hostile mails', () => {
  const part = '--b\r\nContent-Type: text/plain\r\n\r\nx\r\n';
  const multipart = 'Content-Type: multipart/mixed; boundary=b';

  test.each([
    ['10,000 parts', `${multipart}\r\n\r\n${part.repeat(10_000)}--b--\r\n`],
    ['a header of a megabyte', `X-Long: ${'x'.repeat(1_000_000)}\r\n\r\nx`],
    ['100,000 headers', `${'X: y\r\n'.repeat(100_000)}\r\nx`],
  ])('of %s cannot be read', async (_what, mail) => {
    await expect(parse(mail)).rejects.toThrow(UnreadableMailError);
  });

  test.each([
    ['elements nested 5,000 deep', html(`${'<div>'.repeat(5_000)}deep`)],
    ['unclosed quotes', html(`${'<blockquote>'.repeat(300)}deep`)],
    ['a text of 10 MB', lines(...HEAD, '', 'word '.repeat(2_000_000))],
    ['an unknown charset', lines(...HEAD, 'Content-Type: text/plain; charset=x-none', '', 'x')],
    ['a broken encoding', lines(...HEAD, 'Content-Type: text/plain', 'Content-Transfer-Encoding: base64', '', '!!§$%')],
    ['null bytes', lines(...HEAD, '', 'a\0b')],
    ['nothing', ''],
    ['addresses without end', `From: ${'"a" <a@b.c>, '.repeat(10_000)}\r\n\r\nx`],
  ])('of %s are read as far as possible, or not at all', async (_what, mail) => {
    const parsed = await parse(mail).catch(({ message }) => message as string);
    if (typeof parsed === 'string') expect(parsed).not.toBe('');
    else expect(parsed.text.length + parsed.markdown.length).toBeLessThanOrEqual(400_000);
    expect(await parse(lines('Subject: next', '', 'x'))).toMatchObject({ subject: 'next' });
  });

  test('that take too long are given up, and the next one gets a new thread', async () => {
    const hasty = new MailParser(1);
    try {
      await expect(hasty.parse([new Uint8Array(Buffer.from(BOTH))], true)).rejects.toThrow(
        'it takes too long to parse',
      );
    } finally {
      await hasty.close();
    }
    expect(await parse(BOTH)).toMatchObject({ text: 'plain' });
  });
});

const ATTEMPTS = 5;

test('parsing 25 MB is the work of the other thread: this one is idle nearly all of the time', async () => {
  const file = Buffer.alloc(18 * 1024 * 1024, 'attached ')
    .toString('base64')
    .replace(/(.{76})/g, '$1\r\n');
  const mail = Buffer.from(
    lines(
      ...HEAD,
      'Content-Type: application/octet-stream; name=big.bin',
      'Content-Transfer-Encoding: base64',
      '',
      file,
    ),
  );
  const chunks = Array.from(
    { length: Math.ceil(mail.length / 262_144) },
    (_, n) => new Uint8Array(mail.subarray(n * 262_144, (n + 1) * 262_144)),
  );
  // On a busy machine this thread seems busy while it waits for a processor: the best attempt counts.
  const utilizations: number[] = [];
  while (utilizations.length < ATTEMPTS && !utilizations.some((each) => each < 0.2)) {
    const before = performance.eventLoopUtilization();
    const { attachments } = await parser.parse(
      chunks.map((chunk) => chunk.slice()),
      false,
    );
    utilizations.push(performance.eventLoopUtilization(before).utilization);
    expect(attachments[0]?.content).toHaveLength(18 * 1024 * 1024);
  }
  expect(Math.min(...utilizations)).toBeLessThan(0.2);
});
