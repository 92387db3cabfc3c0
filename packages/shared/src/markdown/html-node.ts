/** The tree of a message between parsing and serializing. A string is text; in a block that is not filled yet, it is source. */
export type HtmlNode = string | HtmlElement | RawHtml;

export interface HtmlElement {
  tag: string;
  attributes: Record<string, string>;
  children: HtmlNode[];
}

/** HTML generated elsewhere (KaTeX, highlighted code), which is written unchanged. */
export interface RawHtml {
  html: string;
  isBlock: boolean;
  /** The text of the HTML where it becomes part of a URL. */
  text: string;
}

export function element(tag: string, attributes: Record<string, string> = {}, children: HtmlNode[] = []): HtmlElement {
  return { tag, attributes, children };
}

export function isElement(node: HtmlNode | undefined): node is HtmlElement {
  return typeof node === 'object' && 'tag' in node;
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

export function textContent(nodes: HtmlNode[]): string {
  return nodes
    .map((node) => (typeof node === 'string' ? node : isElement(node) ? textContent(node.children) : node.text))
    .join('');
}

const voidTags = new Set(['br', 'hr', 'img']);
const blockTags = new Set(
  'blockquote div h1 h2 h3 h4 h5 h6 hr li ol p spoiler table tbody td th thead tr ul'.split(' '),
);

/** HTML of top-level blocks: separated by newlines, without one at the end. */
export function serialise(blocks: HtmlNode[]): string {
  return serialiseBlocks(blocks).trimEnd();
}

/** HTML of nested blocks: each ends in a newline. */
function serialiseBlocks(nodes: HtmlNode[]): string {
  let html = '';
  nodes.forEach((node, at) => {
    if (typeof node === 'string' && isBlank(node) && endsLine(nodes[at - 1])) return;
    html += serialiseNode(node);
    if (isBlock(node) && !isText(nodes[at + 1])) html += '\n';
  });
  return html;
}

export function escapeText(text: string): string {
  if (!/[&<>]/.test(text)) return text;
  return escapeAmpersands(text).replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function escapeAttribute(value: string): string {
  return escapeText(value).replaceAll('"', '&quot;');
}

/** Text without entities, as in code. */
export function literal(text: string): RawHtml {
  return { html: escapeLiteral(text), isBlock: false, text };
}

export function escapeLiteral(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function serialiseNode(node: HtmlNode): string {
  if (typeof node === 'string') return escapeText(node);
  return isElement(node) ? serialiseElement(node) : node.html;
}

function serialiseElement({ tag, attributes, children }: HtmlElement): string {
  if (tag === 'spoiler') return serialiseSpoiler(children);
  const open = `<${tag}${serialiseAttributes(attributes)}>`;
  if (tag === 'br') return `${open}\n`;
  if (voidTags.has(tag)) return open;
  const first = children.find((child) => !(typeof child === 'string' && isBlank(child)));
  return `${open}${isBlock(first) ? '\n' : ''}${serialiseBlocks(children)}</${tag}>`;
}

function serialiseSpoiler(parts: HtmlNode[]): string {
  const [header = '', content = ''] = parts.map((part) => (isElement(part) ? serialiseBlocks(part.children) : ''));
  return (
    `<div class="spoiler-block"><div class="spoiler-header">\n${header}</div>` +
    `<div class="spoiler-content" aria-hidden="true">\n${content}</div></div>`
  );
}

function serialiseAttributes(attributes: Record<string, string>): string {
  return Object.keys(attributes)
    .sort()
    .map((name) => (isBare(name) ? ` ${name}` : ` ${name}="${escapeAttribute(attributes[name] ?? '')}"`))
    .join('');
}

/** Boolean attributes. */
function isBare(name: string): boolean {
  return name === 'controls';
}

/** An entity typed by the author stays an entity. */
function escapeAmpersands(text: string): string {
  return text.replace(/&(?!(?:#[0-9]{1,9}|#x[0-9a-f]{1,9}|[0-9a-z]{1,20});)/gi, '&amp;');
}

function isBlock(node: HtmlNode | undefined): boolean {
  if (node === undefined || typeof node === 'string') return false;
  return isElement(node) ? blockTags.has(node.tag) : node.isBlock;
}

function endsLine(node: HtmlNode | undefined): boolean {
  return isBlock(node) || (isElement(node) && node.tag === 'br');
}

function isText(node: HtmlNode | undefined): boolean {
  return typeof node === 'string' && !isBlank(node);
}
