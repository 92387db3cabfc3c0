import { type HtmlElement, type HtmlNode, isBlank, isElement, type RawHtml } from './html-node';

const voidTags = new Set(['br', 'hr', 'img']);
const blockTags = new Set(
  'blockquote div h1 h2 h3 h4 h5 h6 hr li ol p spoiler table tbody td th thead tr ul'.split(' '),
);

/** HTML of the top-level blocks: one below the other, no newline at the end. */
export function serialise(blocks: HtmlNode[]): string {
  return serialiseBlocks(blocks).trimEnd();
}

/** HTML of blocks that stand inside another: each ends in a newline. */
export function serialiseBlocks(nodes: HtmlNode[]): string {
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

/** Text in which nothing is an entity, as in code. */
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

/** Attributes whose presence is all they say. */
function isBare(name: string): boolean {
  return name === 'controls';
}

/** An entity that the author typed stays one. */
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
