import type { WebsiteCard } from '@parley/shared/markdown';
import { Parser } from 'htmlparser2';

const MAX_TITLE_LENGTH = 300;
const MAX_DESCRIPTION_LENGTH = 1_000;
const MAX_URL_LENGTH = 2_000;

/** What a page's head says of it: by names of Open Graph and others, and its title. The first of a name counts. */
interface Head {
  names: Map<string, string>;
  title: string;
}

/** The card that a page describes in its head (Open Graph); null without a picture. `pageUrl` is where the page is. */
export function readCard(html: string, pageUrl: string): WebsiteCard | null {
  const { names, title } = readHead(html);
  const image = ['og:image', 'og:image:url', 'og:image:secure_url'].map((name) => names.get(name)).find(Boolean);
  const imageUrl = image && absolute(image, pageUrl);
  if (!imageUrl) return null;
  return {
    title: line(names.get('og:title') || title, MAX_TITLE_LENGTH),
    description: line(names.get('og:description') || names.get('description') || '', MAX_DESCRIPTION_LENGTH),
    imageUrl,
  };
}

function readHead(html: string): Head {
  const head: Head = { names: new Map(), title: '' };
  let isInTitle = false;
  const parser = new Parser({
    onopentag(tag, { property, name = property, content }) {
      if (tag === 'title') isInTitle = head.title === '';
      const key = (property ?? name)?.trim().toLowerCase();
      if (tag !== 'meta' || key === undefined || content === undefined || head.names.has(key)) return;
      head.names.set(key, content);
    },
    ontext(text) {
      if (isInTitle) head.title += text;
    },
    onclosetag(tag) {
      if (tag === 'title') isInTitle = false;
    },
  });
  parser.end(beforeBody(html));
  return head;
}

/** All that is to be known stands there, and parsing whole pages takes long. */
function beforeBody(html: string): string {
  const at = html.search(/<body[\s>]/i);
  return at === -1 ? html : html.slice(0, at);
}

function absolute(address: string, pageUrl: string): string | null {
  const text = address.trim();
  if (!URL.canParse(text, pageUrl)) return null;
  const { protocol, href, username, password } = new URL(text, pageUrl);
  const isWeb = /^https?:$/.test(protocol) && username === '' && password === '';
  return isWeb && href.length <= MAX_URL_LENGTH ? href : null;
}

/** One line of text of at most so many characters. */
function line(text: string, maxLength: number): string {
  const plain = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const characters = [...plain.slice(0, 2 * maxLength)];
  return characters.length <= maxLength ? plain : `${characters.slice(0, maxLength - 1).join('')}…`;
}
