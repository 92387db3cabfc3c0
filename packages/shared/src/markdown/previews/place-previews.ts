import { type HtmlElement, type HtmlNode, isBlank, isElement, type RawHtml, serialise } from '../html-node';
import type { RenderContext } from '../render-blocks';
import { cardOf, type Preview, previewOf } from './preview-of';

/** A message with more addresses than that is a list of links, and gets no previews. */
const maxAddresses = 24;

/** A link, its parent, and the parent's container. */
interface Found {
  link: HtmlElement;
  parent: HtmlElement | null;
  /** The blocks that include the parent. */
  siblings: HtmlNode[];
  /** The blocks of the message, or of the enclosing spoiler. */
  root: HtmlNode[];
}

/** Inserts previews below links outside of quotes, one per address. Changes `blocks`. */
export function placePreviews(blocks: HtmlNode[], context: RenderContext): void {
  const { findings, budget } = context;
  const { linkedUrls } = findings;
  if (linkedUrls.size === 0 || linkedUrls.size > maxAddresses) return;
  const lastOf = new Map<HtmlElement, HtmlNode>();
  for (const found of findLinks(blocks)) {
    const href = found.link.attributes['href'] ?? '';
    if (!linkedUrls.delete(href)) continue;
    const title = titleOf(found.link, href);
    const preview = findPreview(href, title, context);
    if (!preview) continue;
    budget.payForElements(8);
    place(found, asPreview(preview.node), lastOf);
    if (!preview.keepsLink && title === undefined) removeLoneLink(found);
  }
}

function findPreview(href: string, title: string | undefined, { facts, findings }: RenderContext): Preview | null {
  const picture = facts.all.showsPreviews ? previewOf(href, title, facts) : null;
  if (picture) findings.hasImage = true;
  return picture ?? cardOf(href, facts.all, findings.cardUrls);
}

/** Written without newlines around it, unlike other blocks. */
function asPreview(node: HtmlElement): RawHtml {
  return { html: serialise([node]), isBlock: false, text: '' };
}

/** The text of a link, if it differs from its address. */
function titleOf({ children: [text] }: HtmlElement, href: string): string | undefined {
  return typeof text === 'string' && text !== href ? text : undefined;
}

function findLinks(root: HtmlNode[]): Found[] {
  const found: Found[] = [];

  function walk(nodes: HtmlNode[], parent: HtmlElement | null, siblings: HtmlNode[], blocks: HtmlNode[]): void {
    for (const node of nodes) {
      if (!isElement(node) || node.tag === 'blockquote') continue;
      if (node.tag === 'a') found.push({ link: node, parent, siblings, root: blocks });
      else if (node.tag === 'spoiler') walkSpoiler(node);
      else walk(node.children, node, nodes, blocks);
    }
  }

  function walkSpoiler(spoiler: HtmlElement): void {
    for (const part of spoiler.children) {
      if (isElement(part)) walk(part.children, null, part.children, part.children);
    }
  }

  walk(root, null, root, root);
  return found;
}

/** After the paragraph and its existing previews, at the end of a list item, or else at the end of the message. */
function place({ parent, siblings, root }: Found, preview: RawHtml, lastOf: Map<HtmlElement, HtmlNode>): void {
  if (parent?.tag === 'li') parent.children.push(preview);
  else if (parent?.tag === 'p') {
    siblings.splice(siblings.indexOf(lastOf.get(parent) ?? parent) + 1, 0, preview);
    lastOf.set(parent, preview);
  } else root.push(preview);
}

/** A link whose text is its address, alone in its paragraph, is redundant beside its preview. */
function removeLoneLink({ link, parent, siblings }: Found): void {
  if (parent?.tag === 'p' && isAlone(link, parent)) siblings.splice(siblings.indexOf(parent), 1);
  if (parent?.tag === 'li' && isFirst(link, parent)) parent.children.splice(parent.children.indexOf(link), 1);
}

function isAlone(link: HtmlElement, { children }: HtmlElement): boolean {
  return children.every((child) => child === link || (typeof child === 'string' && isBlank(child)));
}

/** Nothing precedes it, and no text follows it. */
function isFirst(link: HtmlElement, { children }: HtmlElement): boolean {
  const at = children.indexOf(link);
  const next = children[at + 1];
  return children.slice(0, at).every(isEmptyText) && (typeof next !== 'string' || isBlank(next));
}

function isEmptyText(node: HtmlNode): boolean {
  return typeof node === 'string' && isBlank(node);
}
