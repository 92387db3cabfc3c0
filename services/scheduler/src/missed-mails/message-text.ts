import { type HtmlElement, type HtmlNode, parseHtml } from './parse-html';

/** How the text refers to what it cannot show. */
export interface TextView {
  /** The organization's address, without a slash at its end. */
  url: string;
  /** Stands for the hidden part of a spoiler. */
  hidden: string;
  /** Stands for a picture without a description. */
  picture: string;
  /** A moment as the reader writes it. */
  moment(atMs: number): string;
}

/** A message's rendered content as text for a mail: nothing is loaded, spoilers stay hidden, formulas are TeX, links have their addresses. */
export function messageText(html: string, view: TextView): string {
  const text = blocksText(parseHtml(html), view);
  return text
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const BLOCKS = new Set('blockquote div h1 h2 h3 h4 h5 h6 hr ol p pre table ul'.split(' '));

function blocksText(nodes: readonly HtmlNode[], view: TextView): string {
  return nodes
    .map((node, at) => {
      if (typeof node === 'string') return isBreak(nodes[at - 1]) ? node.replace(/^\n/, '') : node;
      return BLOCKS.has(node.tag) ? `\n\n${blockText(node, view)}\n\n` : inlineText(node, view);
    })
    .join('');
}

/** In rendered content a line ends with it and a character that shows nothing. */
const isBreak = (node: HtmlNode | undefined) => typeof node === 'object' && node.tag === 'br';

function blockText(node: HtmlElement, view: TextView): string {
  const { tag, className, children } = node;
  const inner = () => messageLike(blocksText(children, view));
  if (tag === 'hr') return '---';
  if (tag === 'blockquote') return inner().replace(/^/gm, '> ');
  if (tag === 'ul' || tag === 'ol') return listText(node, view);
  if (tag === 'table')
    return rowsOf(node)
      .map((row) => rowText(row, view))
      .join('\n');
  if (className.startsWith('spoiler-content')) return view.hidden;
  // The address of the picture or page is in the text.
  if (/message_inline_image|message_embed/.test(className)) return '';
  return tag === 'pre' ? blocksText(children, view).replace(/\n+$/, '') : inner();
}

const messageLike = (text: string) => text.replace(/\n{3,}/g, '\n\n').trim();

function listText({ tag, attributes, children }: HtmlElement, view: TextView): string {
  const items = children.filter((node): node is HtmlElement => typeof node !== 'string' && node.tag === 'li');
  const first = Number(/start="(\d+)"/.exec(attributes)?.[1] ?? 1);
  return items
    .map((item, index) => {
      const mark = tag === 'ol' ? `${first + index}. ` : '• ';
      return mark + messageLike(blocksText(item.children, view)).replace(/\n+/g, `\n${' '.repeat(mark.length)}`);
    })
    .join('\n');
}

function rowsOf({ tag, children }: HtmlElement): HtmlElement[] {
  const elements = children.filter((node): node is HtmlElement => typeof node !== 'string');
  return tag === 'tr' ? [] : elements.flatMap((node) => (node.tag === 'tr' ? [node] : rowsOf(node)));
}

function rowText({ children }: HtmlElement, view: TextView): string {
  const cells = children.filter((node): node is HtmlElement => typeof node !== 'string');
  return cells.map((cell) => messageLike(blocksText(cell.children, view))).join(' | ');
}

function inlineText(node: HtmlElement, view: TextView): string {
  const { tag, className, attributes, children } = node;
  if (tag === 'br') return '\n';
  if (tag === 'img') return attributeOf(attributes, 'alt') || view.picture;
  if (tag === 'a') return linkText(node, view);
  if (tag === 'time') return timeText(node, view);
  if (tag === 'annotation' || className === 'katex-html') return tag === 'annotation' ? blocksText(children, view) : '';
  if (tag === 'semantics') return blocksText(children.filter(isAnnotation), view);
  return emojiOf(className) ?? blocksText(children, view);
}

const isAnnotation = (node: HtmlNode) => typeof node !== 'string' && node.tag === 'annotation';

/** With its address, unless the text says the same, or names a place in the organization. */
function linkText({ attributes, className, children }: HtmlElement, view: TextView): string {
  const text = blocksText(children, view);
  const href = attributeOf(attributes, 'href');
  if (href === '' || /^(?:stream|message-link)/.test(className) || [href, `mailto:${href}`].includes(text)) return text;
  return `${text} <${href.startsWith('/') ? view.url + href : href}>`;
}

function timeText({ attributes, children }: HtmlElement, view: TextView): string {
  const atMs = Date.parse(attributeOf(attributes, 'datetime'));
  return Number.isNaN(atMs) ? blocksText(children, view) : view.moment(atMs);
}

function emojiOf(className: string): string | null {
  const codes = /^emoji emoji-([0-9a-f-]+)$/.exec(className)?.[1];
  return codes ? String.fromCodePoint(...codes.split('-').map((code) => Number.parseInt(code, 16))) : null;
}

function attributeOf(attributes: string, name: string): string {
  return parseHtml(new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1] ?? '').join('');
}
