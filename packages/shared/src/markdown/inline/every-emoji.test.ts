import { checkEmoji, emojiNamed, emojiNamesByCode, UNICODE_EMOJI } from '../../emoji';
import { markdownExampleFacts } from '../../testing/markdown-corpus';
import { renderMarkdown } from '../render-markdown';

const facts = { ...markdownExampleFacts(), customEmoji: [] };
const html = (content: string) => renderMarkdown(content, facts).html;
const emojiHtml = (name: string, code: string) => {
  const title = name.replaceAll('_', ' ');
  return `<p><span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${name}:</span></p>`;
};
const pointsOf = (code: string) => code.split('-').map((point) => String.fromCodePoint(Number.parseInt(point, 16)));
const isShownAsText = (point: string) => /[0-9#*]|(?!\p{Emoji_Presentation})\p{Extended_Pictographic}/u.test(point);
/** As keyboards send it: with U+FE0F after characters that are text by default. */
const characterOf = (code: string) =>
  pointsOf(code)
    .map((point) => (isShownAsText(point) ? `${point}\ufe0f` : point))
    .join('');

const table = Object.entries(emojiNamesByCode());

test('every name is the emoji of its code, in messages and in reactions', () => {
  for (const [code, names] of table) {
    for (const name of names) {
      expect(html(`:${name}:`)).toBe(emojiHtml(name, code));
      const emoji = { emojiName: name, emojiCode: code, reactionType: UNICODE_EMOJI };
      expect(emojiNamed(name, [])).toEqual(emoji);
      expect(() => checkEmoji(emoji, [])).not.toThrow();
    }
  }
});

test('every character is the emoji with its canonical name', () => {
  for (const [code, [canonical = '']] of table) expect(html(characterOf(code))).toBe(emojiHtml(canonical, code));
});

test('characters shown as text without U+FE0F stay text', () => {
  const plain = table
    .map(([code]) => pointsOf(code))
    .filter(([first = '', ...rest]) => rest.length === 0 && isShownAsText(first));
  expect(plain.length).toBeGreaterThan(150);
  for (const [character] of plain) expect(html(`a ${character}`)).toBe(`<p>a ${character}</p>`);
});

test('a skin tone leaves no emoji behind, whichever it is', () => {
  for (const [code] of table) {
    const points = pointsOf(code);
    if (points.length > 1 || !/\p{Emoji_Modifier_Base}/u.test(points[0] as string)) continue;
    expect(html(`a ${points[0]}\u{1f3fd}`)).toBe(`<p>a ${points[0]}\u{1f3fd}</p>`);
  }
});
