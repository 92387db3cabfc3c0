/** What a message is made of between parsing and serialising. A string is text; in a block not yet filled, source of text. */
export type HtmlNode = string | HtmlElement | RawHtml;

export interface HtmlElement {
  tag: string;
  attributes: Record<string, string>;
  children: HtmlNode[];
}

/** HTML that was made elsewhere (KaTeX, highlighted code) and is written as it is. */
export interface RawHtml {
  html: string;
  isBlock: boolean;
  /** What the HTML says, where it ends up in a URL. */
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
