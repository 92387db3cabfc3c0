import type { MarkdownFacts, MarkdownUpload } from '../facts';
import { findReferences } from '../find-references';
import { renderMarkdown } from '../render-markdown';
import { sanitise } from '../sanitise/sanitise';
import { settlePreviews } from './settle-previews';

const SECRET = 'abcdefghijklmnopqrstuvwx';
const PNG = `1/ab/${SECRET}/photo.png`;
const GIF = `1/ab/${SECRET}/dance.gif`;
const image = { contentType: 'image/png', width: 800, height: 600, isAnimated: false };
const png: MarkdownUpload = { pathId: PNG, image, thumbnails: 'ready' };
const gif: MarkdownUpload = {
  pathId: GIF,
  image: { ...image, contentType: 'image/gif', isAnimated: true },
  thumbnails: 'ready',
};
const pending: MarkdownUpload = { ...png, thumbnails: 'pending' };
const film: MarkdownUpload = { pathId: `1/ab/${SECRET}/film.mp4`, image: null, thumbnails: 'none' };
const sound: MarkdownUpload = { pathId: `1/ab/${SECRET}/song.mp3`, image: null, thumbnails: 'none' };
const page: MarkdownUpload = { pathId: `1/ab/${SECRET}/page.png`, image: null, thumbnails: 'none' };

function render(content: string, facts: Partial<MarkdownFacts> = {}) {
  return renderMarkdown(content, {
    users: [],
    groups: [],
    channels: [],
    linkifiers: [],
    realmUrl: 'https://chat.example',
    showsPreviews: true,
    uploads: [png, gif, film, sound, page],
    ...facts,
  });
}

const inlineImage = (url: string, title = '') =>
  `<div class="message_inline_image"><a href="${url}"${title}><img src="${url}"></a></div>`;
const link = (url: string) => `<a href="${url}">${url}</a>`;
const A = 'https://example.com/a.png';
const B = 'https://example.com/b.JPG';
const thumbnail = (facts = '') =>
  `<img ${facts}data-original-content-type="image/png" data-original-dimensions="800x600" src="/user_uploads/thumbnail/${PNG}/840x560.webp">`;

describe('pictures of other sites', () => {
  test.each([
    ['alone, the address makes room for it', A, inlineImage(A)],
    ['below its paragraph', `see ${A}`, `<p>see ${link(A)}</p>\n${inlineImage(A)}`],
    ['several in their order', `${A} ${B}`, `<p>${link(A)} ${link(B)}</p>\n${inlineImage(A)}${inlineImage(B)}`],
    ['each once', `x ${A} ${A}`, `<p>x ${link(A)} ${link(A)}</p>\n${inlineImage(A)}`],
    ['a named link is its title', `[cat](${A})`, `<p><a href="${A}">cat</a></p>\n${inlineImage(A, ' title="cat"')}`],
    ['what follows is not pushed away', `${A}\n\nthen`, `${inlineImage(A)}<p>then</p>`],
    [
      'in an item of a list',
      `* ${A}\n* see ${B}`,
      `<ul>\n<li>${inlineImage(A)}</li>\n<li>see ${link(B)}${inlineImage(B)}</li>\n</ul>`,
    ],
    ['none of a quote', `> ${A}`, `<blockquote>\n<p>${link(A)}</p>\n</blockquote>`],
    ['below everything where a link is elsewhere', `# ${A}`, `<h1>${link(A)}</h1>\n${inlineImage(A)}`],
    [
      'no page that ends like a picture',
      'https://pasteboard.co/a.png',
      `<p>${link('https://pasteboard.co/a.png')}</p>`,
    ],
    ['not for another ending', 'https://example.com/a.svg', `<p>${link('https://example.com/a.svg')}</p>`],
  ])('%s', (_what, content, html) => {
    expect(render(content).html).toBe(html);
  });

  test('are in the spoiler that their link is in', () => {
    expect(render(`\`\`\`spoiler head\n${A}\n\`\`\``).html).toContain(`aria-hidden="true">\n${inlineImage(A)}</div>`);
  });

  test('are not shown where the organization does not want it, nor below a list of links', () => {
    expect(render(A, { showsPreviews: false }).html).toBe(`<p>${link(A)}</p>`);
    const many = (count: number) => Array.from({ length: count }, (_, n) => `https://example.com/${n}.png`).join(' ');
    expect(render(many(24)).html.match(/<img/g)).toHaveLength(24);
    expect(render(many(25)).html).not.toContain('<img');
  });

  test('come through the proxy, with an address that is signed', () => {
    const { html } = render(A, { imageProxy: { url: 'https://proxy.example/', key: 'dummy' } });
    expect(html).toMatch(/<img src="https:\/\/proxy\.example\/[0-9a-f]{40}\/[0-9a-f]+">/);
    expect(html).toContain(Buffer.from(A).toString('hex'));
  });

  test('of pages about a picture the picture is shown', () => {
    expect(render('https://github.com/o/r/blob/main/x.png').html).toContain(
      'src="https://raw.githubusercontent.com/o/r/main/x.png"',
    );
    expect(render('https://en.wikipedia.org/wiki/File:X.jpg').html).toContain(
      'src="https://en.wikipedia.org/wiki/Special:FilePath/File:X.jpg"',
    );
  });
});

describe('films', () => {
  test('are played', () => {
    const url = 'https://example.com/film.mp4';
    expect(render(url)).toMatchObject({
      hasImage: true,
      html: `<div class="message_inline_image message_inline_video"><a href="${url}"><video preload="metadata" src="${url}"></video></a></div>`,
    });
    expect(render(`[film](/user_uploads/${film.pathId})`).html).toContain(
      `<video preload="metadata" src="/user_uploads/${film.pathId}">`,
    );
  });

  test.each([
    'https://www.youtube.com/watch?v=hx1mjT73xYE',
    'https://youtu.be/hx1mjT73xYE',
    'https://m.youtube.com/shorts/hx1mjT73xYE',
    'https://www.youtube-nocookie.com/embed/hx1mjT73xYE',
  ])('%s is shown by its picture, and its link stays', (url) => {
    const preview = `<div class="youtube-video message_inline_image"><a data-id="hx1mjT73xYE" href="${url}"><img src="https://i.ytimg.com/vi/hx1mjT73xYE/default.jpg"></a></div>`;
    expect(render(url).html).toBe(`<p>${link(url)}</p>\n${preview}`);
  });

  test.each(['https://www.youtube.com/watch?v=%22%3E', 'https://www.youtube.com/', 'https://notyoutube.com/watch?v=x'])(
    '%s is none',
    (url) => {
      expect(render(url).html).not.toContain('<img');
    },
  );
});

describe('uploaded files', () => {
  test('are shown by a thumbnail', () => {
    const { html, hasImage, uploadPathIds } = render(`[photo](/user_uploads/${PNG})`);
    expect(html).toBe(
      `<p><a href="/user_uploads/${PNG}">photo</a></p>\n` +
        `<div class="message_inline_image"><a href="/user_uploads/${PNG}" title="photo">${thumbnail()}</a></div>`,
    );
    expect({ hasImage, uploadPathIds }).toEqual({ hasImage: true, uploadPathIds: [PNG] });
    expect(render(`[dance](/user_uploads/${GIF})`).html).toContain(
      `<img data-animated="true" data-original-content-type="image/gif" data-original-dimensions="800x600" src="/user_uploads/thumbnail/${GIF}/840x560-anim.webp">`,
    );
  });

  test('are known by the address of the organization, too', () => {
    const { html, uploadPathIds } = render(`https://chat.example/user_uploads/${PNG}`);
    expect(uploadPathIds).toEqual([PNG]);
    expect(html).toContain(`<div class="message_inline_image"><a href="user_uploads/${PNG}"`);
  });

  test('are not shown when they are no pictures, cannot be shown or are unknown, but linked to', () => {
    for (const upload of [page, { ...png, thumbnails: 'failed' as const }]) {
      expect(render(`[x](/user_uploads/${upload.pathId})`, { uploads: [upload] })).toMatchObject({
        hasImage: false,
        uploadPathIds: [upload.pathId],
      });
    }
    expect(render(`[x](/user_uploads/${PNG})`, { uploads: [] }).html).not.toContain('<img');
  });

  test('stand in the text after an exclamation mark', () => {
    expect(render(`so ![a "b"](/user_uploads/${PNG}) it is`)).toMatchObject({
      html: `<p>so <img alt="a &quot;b&quot;" class="inline-image" data-original-content-type="image/png" data-original-dimensions="800x600" data-original-src="/user_uploads/${PNG}" src="/user_uploads/thumbnail/${PNG}/840x560.webp"> it is</p>`,
      hasImage: true,
      uploadPathIds: [PNG],
    });
    expect(render(`![tune](/user_uploads/${sound.pathId})`).html).toBe(
      `<p><audio controls preload="metadata" src="/user_uploads/${sound.pathId}" title="tune"></audio></p>`,
    );
    expect(render('![x](https://example.com/)').html).toBe('<p>!<a href="https://example.com/">x</a></p>');
  });

  test('are found in a content, regardless of the text around their names', () => {
    expect(
      findReferences(`a [x](/user_uploads/${PNG}) https://chat.example/user_uploads/${GIF}.`).uploadPathIds,
    ).toEqual([PNG, `${GIF}.`, GIF]);
    expect(findReferences('user_uploads/1/../../etc/passwd').uploadPathIds).toEqual([]);
    const accented = `1/ab/${SECRET}/f%C3%BCr.png`;
    expect(findReferences(`/user_uploads/${accented}`).uploadPathIds).toEqual([`1/ab/${SECRET}/für.png`]);
  });
});

describe('a picture whose thumbnails are being made', () => {
  const below = render(`[photo](/user_uploads/${PNG})`, { uploads: [pending] }).html;
  const inText = render(`![<b> & "c"](/user_uploads/${PNG})`, { uploads: [pending] }).html;

  test('has a placeholder', () => {
    expect(below).toContain(
      '<img class="image-loading-placeholder" data-original-content-type="image/png" data-original-dimensions="800x600" src="/static/images/loading/loader-black.svg">',
    );
    expect(inText).toContain('class="inline-image image-loading-placeholder"');
  });

  test('is then shown as if it had been ready', () => {
    expect(settlePreviews(below, png)).toBe(render(`[photo](/user_uploads/${PNG})`).html);
    expect(settlePreviews(inText, png)).toBe(render(`![<b> & "c"](/user_uploads/${PNG})`).html);
  });

  test('leaves its frame when it cannot be shown', () => {
    const failed = { ...png, thumbnails: 'failed' as const };
    expect(settlePreviews(below, failed)).toBe(`<p><a href="/user_uploads/${PNG}">photo</a></p>`);
    expect(settlePreviews(inText, failed)).toContain(`<a href="/user_uploads/${PNG}">`);
    expect(settlePreviews(below, gif)).toBe(below);
  });
});

describe('the second wall lets previews through as they are written, and nothing more', () => {
  test.each([
    ['<audio autoplay controls src="https://evil.example/a.mp3"></audio>', '<audio controls></audio>'],
    ['<video onerror="x" autoplay preload="auto" src="javascript:x"></video>', '<video></video>'],
    [
      '<video poster="https://evil.example/" src="https://example.com/a.mp4"></video>',
      '<video src="https://example.com/a.mp4"></video>',
    ],
    ['<img class="inline-image evil" data-original-src="https://evil.example/" src="data:image/png,x">', '<img>'],
    ['<img data-animated="yes" data-original-dimensions="1x1x1" data-original-content-type="image/svg+xml">', '<img>'],
    ['<div class="message_inline_image evil"></div>', '<div></div>'],
    ['<a data-id="&quot;><script>" href="/x"></a>', '<a href="/x"></a>'],
    ['<iframe src="https://www.youtube.com/embed/x"></iframe>', ''],
  ])('%s', (hostile, harmless) => {
    expect(sanitise(hostile)).toBe(harmless);
  });

  test.each([
    `[a](https://example.com/x.png"onerror="alert(1))`,
    `![" onerror="alert(1)](/user_uploads/${PNG})`,
    `![<script>](/user_uploads/${sound.pathId})`,
    'https://example.com/<script>.png',
    'https://www.youtube.com/watch?v=x"onload=alert(1)',
  ])('%s makes no element and no attribute of its own', (content) => {
    expect(render(content).html).not.toMatch(/<[^>"]*("[^"]*"[^>"]*)*\son\w+=|<script/);
  });
});
