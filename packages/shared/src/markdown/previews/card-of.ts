import type { MarkdownFacts, WebsiteCard } from '../facts';
import { element, type HtmlElement, type HtmlNode, type RawHtml } from '../html-node';
import { serialise } from '../serialise';
import type { Preview } from './preview-of';
import { proxied } from './proxied';

const maxUrlLength = 2_000;

/** The card of a page, where it is known; the page's address goes to `wanted` either way. Null for what is no page. */
export function cardOf(href: string, facts: MarkdownFacts, wanted: string[]): Preview | null {
  const { websiteCards, imageProxy } = facts;
  if (websiteCards === undefined || !isPage(href)) return null;
  wanted.push(href);
  const card = websiteCards.get(href);
  return card ? { node: cardNode(href, card, proxied(card.imageUrl, imageProxy)), keepsLink: true } : null;
}

function isPage(href: string): boolean {
  return /^https?:\/\//.test(href) && href.length <= maxUrlLength && URL.canParse(href);
}

function cardNode(href: string, { title, description }: WebsiteCard, imageUrl: string): HtmlElement {
  const style = `background-image: url("${inStyle(imageUrl)}")`;
  const link = element('a', { href, title }, [title]);
  return element('div', { class: 'message_embed' }, [
    element('a', { class: 'message_embed_image', href, style }),
    divOf('data-container', [
      ...(title === '' ? [] : [divOf('message_embed_title', [link])]),
      ...(description === '' ? [] : [divOf('message_embed_description', [description])]),
    ]),
  ]);
}

/** Written without line ends around it. */
function divOf(name: string, children: HtmlNode[]): RawHtml {
  return { html: serialise([element('div', { class: name }, children)]), isBlock: false, text: '' };
}

/** An address that ends neither the quotes in a style nor, as an entity, the attribute. */
function inStyle(url: string): string {
  return url.replace(
    /[\s"'()\\<>;]/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
