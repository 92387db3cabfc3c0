/** A text, with its entities decoded, or an element. */
export type HtmlNode = string | HtmlElement;

export interface HtmlElement {
  tag: string;
  /** As written, after the tag's name. */
  attributes: string;
  className: string;
  children: HtmlNode[];
}

/** A tag of rendered content; attributes may contain `>`. */
const TAG = /<(\/?)([a-z][a-z0-9]*)((?:"[^"]*"|[^">])*)>/gi;
const VOID = new Set(['br', 'hr', 'img', 'line', 'path']);
/** Deeper elements are text of the deepest. */
const MAX_DEPTH = 100;

/** The tree of rendered content, which is sanitized and has its end tags. */
export function parseHtml(html: string): HtmlNode[] {
  const root = newElement('', '');
  const open = [root];
  let at = 0;
  for (const { 0: tag, 1: slash, 2: name = '', 3: attributes = '', index } of html.matchAll(TAG)) {
    const inner = open.at(-1) as HtmlElement;
    if (index > at) inner.children.push(decodeEntities(html.slice(at, index)));
    at = index + tag.length;
    if (slash !== '') close(open, name.toLowerCase());
    else {
      const element = newElement(name.toLowerCase(), attributes);
      inner.children.push(element);
      if (!VOID.has(element.tag) && !attributes.endsWith('/') && open.length < MAX_DEPTH) open.push(element);
    }
  }
  if (at < html.length) open.at(-1)?.children.push(decodeEntities(html.slice(at)));
  return root.children;
}

function newElement(tag: string, attributes: string): HtmlElement {
  return { tag, attributes, className: /\sclass="([^"]*)"/.exec(attributes)?.[1] ?? '', children: [] };
}

/** Ends the innermost element of that name, if there is one. */
function close(open: HtmlElement[], tag: string): void {
  const at = open.findLastIndex((element) => element.tag === tag);
  if (at > 0) open.length = at;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const LAST_CODE_POINT = 0x10_ff_ff;

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : entity;
  });
}
