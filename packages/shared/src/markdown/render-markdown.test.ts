import { BadRequestError } from '../errors';
import { markdownCorpus } from '../testing/markdown-corpus';
import exampleFacts from './corpus/example-facts.json';
import type { MarkdownFacts } from './facts';
import { renderMarkdown } from './render-markdown';

function htmlOf(content: string, facts: Partial<MarkdownFacts> = {}): string {
  return renderMarkdown(content, { ...exampleFacts, ...facts }).html;
}

describe.each(Object.entries(markdownCorpus()))('%s', (_construct, cases) => {
  test.each(cases)('$name', ({ input, html }) => {
    expect(htmlOf(input)).toBe(html);
  });
});

describe('properties of a rendered message', () => {
  const nothing = {
    mentionedUserIds: [],
    mentionedGroupIds: [],
    mentionsChannel: false,
    mentionsTopic: false,
    hasLink: false,
    hasImage: false,
    uploadPathIds: [],
    cardUrls: [],
  };

  test.each([
    ['plain text', 'hello', {}],
    ['users, each once', '@**King Hamlet** @**|31** @**Twin|35**', { mentionedUserIds: [31, 35] }],
    ['groups', '@*support*', { mentionedGroupIds: [17] }],
    ['the channel', '@**everyone**', { mentionsChannel: true }],
    ['the topic', '@**topic**', { mentionsTopic: true }],
    ['in a list, a heading, a table, a spoiler', '```spoiler\n- @**King Hamlet**\n```', { mentionedUserIds: [31] }],
    ['silent mentions do not count', '@_**King Hamlet** @_*support* @_**all** @_**topic**', {}],
    ['mentions in quotes do not count', '> @**King Hamlet** @*support* @**all** @**topic**', {}],
    ['nor in fenced quotes', '```quote\n- @**King Hamlet**\n```', {}],
    ['mentions in code do not count', '`@**King Hamlet**`\n```\n@**all**\n```', {}],
    ['nobody is mentioned who has left', '@**Yorick** @*oldies* @*role:members*', {}],
    ['a link', 'http://example.com', { hasLink: true }],
    ['a link to a channel', '#**Verona**', { hasLink: true }],
    ['a link of a linkifier', '#12', { hasLink: true }],
    ['a link in a quote', '> http://example.com', { hasLink: true }],
    ['an e-mail address, a link to a message', '- a@example.com\n- #**Verona>a@5**', { hasLink: true }],
    ['no link is what is none', '`http://a.com` [a](javascript:x) #**Nowhere** ![a](b', {}],
    [
      'an uploaded file',
      '[a](/user_uploads/1/ab/aaaaaaaaaaaaaaaaaaaaaaaa/x.pdf)',
      { hasLink: true, uploadPathIds: ['1/ab/aaaaaaaaaaaaaaaaaaaaaaaa/x.pdf'] },
    ],
    [
      'group, user and everybody at once',
      '@*support* @**|31** @**all** @**topic**',
      {
        mentionedUserIds: [31],
        mentionedGroupIds: [17],
        mentionsChannel: true,
        mentionsTopic: true,
      },
    ],
    ['mentions in the text of a link', '[@**King Hamlet**](http://a.com)', { hasLink: true, mentionedUserIds: [31] }],
    [
      'mentions in cells and headings',
      '# @*support*\n\na|b\n-|-\n@**King Hamlet**|x',
      {
        mentionedUserIds: [31],
        mentionedGroupIds: [17],
      },
    ],
    [
      'who is mentioned beside a quote of the same',
      '> @**King Hamlet**\n\n@**King Hamlet**',
      { mentionedUserIds: [31] },
    ],
  ])('%s', (_name, content, said) => {
    const { html, ...findings } = renderMarkdown(content, exampleFacts);
    expect(findings).toEqual({ ...nothing, ...said });
  });
});

describe('settings', () => {
  test('emoticons become emoji for users with that setting, but not inside words', () => {
    const span = '<span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span>';
    expect(htmlOf('well :) :)x `:)`', { translateEmoticons: true })).toBe(`<p>well ${span} :)x <code>:)</code></p>`);
  });

  test.each([':)', '(:', ':(', '<3', ':|', ':/', ';)', ':D', ':o', ':O', ':p', ':P'])(
    '%s is an emoticon',
    (emoticon) => {
      expect(htmlOf(emoticon, { translateEmoticons: true })).toMatch(/^<p><span aria-label=[^<]*<\/span><\/p>$/);
    },
  );

  test('the default language is that of fences that name none', () => {
    const facts = { defaultCodeLanguage: 'python' };
    expect(htmlOf('```\nx\n```', facts)).toContain('data-code-language="Python"');
    expect(htmlOf('```js\nx\n```', facts)).toContain('data-code-language="JavaScript"');
    expect(htmlOf('    x', facts)).not.toContain('data-code-language');
  });

  test('a linkifier that is no pattern, or has no sound template, links nothing', () => {
    const linkifiers = [
      { id: 1, pattern: 'a(', urlTemplate: 'https://example.com' },
      { id: 2, pattern: 'b', urlTemplate: 'https://example.com/{' },
      { id: 3, pattern: '(?P<scheme>[a-z]+)!', urlTemplate: '{+scheme}:alert(1)' },
      { id: 4, pattern: '(?=c)c', urlTemplate: 'https://example.com' },
    ];
    expect(htmlOf('a( b javascript! c', { linkifiers })).toBe('<p>a( b javascript! c</p>');
  });
});

describe('formulas', () => {
  test('in a line', () => {
    const html = htmlOf('so $$x^2$$.');
    expect(html).toMatch(/^<p>so <span class="katex"><span class="katex-mathml">.*<\/span>\.<\/p>$/);
    expect(html).toContain('<annotation encoding="application/x-tex">x^2</annotation>');
  });

  test('markup in a formula is part of it', () => {
    expect(htmlOf('$$a*b*c$$')).toContain('<annotation encoding="application/x-tex">a*b*c</annotation>');
  });

  test('in a block, one for each part between blank lines', () => {
    const html = htmlOf('```math\nx\n\ny\n```');
    expect(html).toMatch(/^<p><span class="katex-display">.*<\/span>\n\n<span class="katex-display">.*<\/span><\/p>$/s);
  });

  test('a formula may lead nowhere', () => {
    expect(htmlOf('$$\\href{javascript:alert(1)}{x}$$')).not.toMatch(/<a[ >]|href=/);
  });
});

test('more HTML than a hundred times the longest message is refused', () => {
  const topic = 'x'.repeat(60);
  const content = `#**core team>${topic}** `.repeat(8_000);
  expect(() => htmlOf(content)).toThrow(new BadRequestError('Unable to render message'));
});
