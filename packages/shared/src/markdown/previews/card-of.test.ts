import type { MarkdownFacts, WebsiteCard } from '../facts';
import { renderMarkdown } from '../render-markdown';
import { sanitise } from '../sanitise/sanitise';

const U = 'https://example.com/page';
const card: WebsiteCard = { title: 'The Page', description: 'All of it.', imageUrl: 'https://example.com/i.png' };

function render(content: string, facts: Partial<MarkdownFacts> = {}) {
  return renderMarkdown(content, {
    users: [],
    groups: [],
    channels: [],
    linkifiers: [],
    realmUrl: 'https://chat.example',
    showsPreviews: true,
    websiteCards: new Map([[U, card]]),
    ...facts,
  });
}

const cardOf = (image: string, texts: string) =>
  `<div class="message_embed"><a class="message_embed_image" href="${U}" style="background-image: url(&quot;${image}&quot;)"></a><div class="data-container">${texts}</div></div>`;
const title = `<div class="message_embed_title"><a href="${U}" title="The Page">The Page</a></div>`;
const CARD = cardOf(card.imageUrl, `${title}<div class="message_embed_description">All of it.</div>`);
const link = `<a href="${U}">${U}</a>`;

describe('the card of a page', () => {
  test.each([
    ['is below its paragraph, and the link stays', U, `<p>${link}</p>\n${CARD}`],
    ['once', `see ${U}\n\n${U}`, `<p>see ${link}</p>\n${CARD}<p>${link}</p>`],
    ['in an item of a list', `* ${U}`, `<ul>\n<li>${link}${CARD}</li>\n</ul>`],
    ['not in a quote', `> ${U}`, `<blockquote>\n<p>${link}</p>\n</blockquote>`],
    ['also of a named link', `[it](${U})`, `<p><a href="${U}">it</a></p>\n${CARD}`],
  ])('%s', (_what, content, html) => {
    expect(render(content)).toMatchObject({ html, hasImage: false });
  });

  test('is shown without pictures, and is not where it is not wanted', () => {
    expect(render(U, { showsPreviews: false }).html).toContain(CARD);
    expect(render(U, { websiteCards: undefined })).toMatchObject({ html: `<p>${link}</p>`, cardUrls: [] });
  });

  test('says no more than is known', () => {
    const bare = new Map([[U, { ...card, title: '', description: '' }]]);
    expect(render(U, { websiteCards: bare }).html).toBe(`<p>${link}</p>\n${cardOf(card.imageUrl, '')}`);
  });

  test('has its picture from the proxy', () => {
    const { html } = render(U, { imageProxy: { url: 'https://proxy.example/', key: 'dummy' } });
    expect(html).toMatch(/url\(&quot;https:\/\/proxy\.example\/[0-9a-f]{40}\/[0-9a-f]+&quot;\)/);
  });

  test.each([
    'https://example.com/i.png?a=1&b=2',
    'https://example.com/"onload="alert(1)',
    'https://example.com/&quot;);color:red;x(&quot;',
    'https://example.com/\\");} body{display:none',
    "https://example.com/');x",
    'https://example.com/</a><script>alert(1)</script>',
  ])('has a style that says nothing but where its picture %s is', (imageUrl) => {
    const { html } = render(U, { websiteCards: new Map([[U, { ...card, imageUrl }]]) });
    const [style] = /style="([^"]*)"/.exec(html)?.slice(1) ?? [];
    expect(style).toMatch(/^background-image: url\(&quot;https:\/\/example\.com\/(?:[^\s"'()\\<>&;]|&amp;)+&quot;\)$/);
    expect(html).not.toMatch(/<script|onload="/);
  });

  test('makes nothing of the texts but text', () => {
    const hostile = '"><img src=x onerror=alert(1)></div>&lt;b';
    const { html } = render(U, { websiteCards: new Map([[U, { ...card, title: hostile, description: hostile }]]) });
    expect(html).not.toMatch(/<img|onerror=[^&]*"[^>]*>(?!.*&gt;)/);
    expect(html.match(/<div/g)).toHaveLength(4);
  });

  test.each([
    '<a style="background-image: url(&quot;javascript:alert(1)&quot;)"></a>',
    '<a style="background-image: url(&quot;https://x/&quot;); position: fixed"></a>',
    '<a style="position: fixed"></a>',
    '<div class="message_embed evil"></div>',
  ])('leaves the second wall nothing else to let through: %s', (html) => {
    expect(sanitise(html)).toMatch(/^<(?:a|div)><\/(?:a|div)>$/);
  });
});

test('only pages of links without another preview are fetched', () => {
  const others =
    'https://example.com/a.png https://youtu.be/hx1mjT73xYE mailto:a@example.com https://chat.example/#narrow';
  expect(render(`${U} ${U} https://example.org ${others}\n> https://quoted.example/`).cardUrls).toEqual([
    U,
    'https://example.org',
  ]);
  const many = Array.from({ length: 25 }, (_, n) => `https://example.com/${n}`).join(' ');
  expect(render(many).cardUrls).toEqual([]);
});
