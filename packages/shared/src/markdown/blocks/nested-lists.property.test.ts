import fc from 'fast-check';
import { markdownExampleFacts } from '../../testing/markdown-corpus';
import { renderMarkdown } from '../render-markdown';

interface Item {
  text: string;
  children: Item[];
}

const facts = markdownExampleFacts();
const MAX_DEPTH = 5;

const { items: list } = fc.letrec<{ items: Item[]; item: Item }>((tie) => ({
  items: fc.array(tie('item'), { minLength: 1, maxLength: 3 }),
  item: fc.record({
    text: fc.constantFrom('a', 'fruit', 'two words', '**bold**', '`code`'),
    children: fc.oneof({ maxDepth: MAX_DEPTH - 1, depthIdentifier: 'list' }, fc.constant<Item[]>([]), tie('items')),
  }),
}));

function linesOf(items: readonly Item[], marker: string, depth = 0): string[] {
  return items.flatMap(({ text, children }) => [
    `${'  '.repeat(depth)}${marker} ${text}`,
    ...linesOf(children, marker, depth + 1),
  ]);
}

function htmlOf(items: readonly Item[], tag: string): string {
  const inner = items.map(({ text, children }) => {
    const html = text.replace('**bold**', '<strong>bold</strong>').replace('`code`', '<code>code</code>');
    return children.length === 0 ? `<li>${html}</li>` : `<li>${html}${htmlOf(children, tag)}\n</li>`;
  });
  return `<${tag}>\n${inner.join('\n')}\n</${tag}>`;
}

test.each([
  ['*', 'ul'],
  ['-', 'ul'],
  ['1.', 'ol'],
])('a list of %s is tight, however its items nest', (marker, tag) => {
  void fc.assert(
    fc.property(list, (items) => {
      const source = linesOf(items, marker);
      expect(renderMarkdown(source.join('\n'), facts).html).toBe(htmlOf(items, tag));
      const quoted = renderMarkdown(source.map((line) => `> ${line}`).join('\n'), facts).html;
      expect(quoted).toBe(`<blockquote>\n${htmlOf(items, tag)}\n</blockquote>`);
    }),
    { numRuns: 300 },
  );
});
