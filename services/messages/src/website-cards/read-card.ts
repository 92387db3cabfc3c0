import { TextDecoder } from 'node:util';
import type { WebsiteCard } from '@parley/shared/markdown';
import { type OutsideAnswer, OutsideError, type OutsideHttp } from '@parley/shared/outside-http';
import { Parser } from 'htmlparser2';

const MAX_TITLE_LENGTH = 300;
const MAX_DESCRIPTION_LENGTH = 1_000;
const MAX_URL_LENGTH = 2_000;

/** A page's head: its title and its meta tags by name (Open Graph and others). The first tag of a name counts. */
interface Head {
  names: Map<string, string>;
  title: string;
}

/** The card that a page describes in its head (Open Graph); null without an image. `pageUrl` is the page's address. */
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

/** The head suffices, and parsing whole pages takes long. */
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

/** One line of text, cut to that number of characters. */
function line(text: string, maxLength: number): string {
  const plain = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const characters = [...plain.slice(0, 2 * maxLength)];
  return characters.length <= maxLength ? plain : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** The head of a page is at its beginning. */
const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 8_000;
const MAX_REDIRECTS = 5;
const HEADERS = {
  Accept: 'text/html, application/xhtml+xml',
  'Accept-Encoding': 'identity',
  'User-Agent': 'Mozilla/5.0 (compatible; Parley link previews)',
};

/** The card of a website; null if it has none, or cannot be fetched. */
export async function fetchCard(outside: OutsideHttp, url: string, signal: AbortSignal): Promise<WebsiteCard | null> {
  try {
    const answer = await outside({
      url,
      headers: HEADERS,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      isBeginningEnough: true,
      maxRedirects: MAX_REDIRECTS,
      signal,
    });
    return isPage(answer) ? readCard(textOf(answer), answer.url) : null;
  } catch (error) {
    if (error instanceof OutsideError) return null;
    throw error;
  }
}

function isPage({ status, headers }: OutsideAnswer): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  const type = headers['content-type'] ?? '';
  return status === 200 && encoding === 'identity' && /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type);
}

/** In the encoding given by the response's headers, or else by the page. */
function textOf({ headers, body }: OutsideAnswer): string {
  const named = /charset=["']?([\w-]+)/i;
  const label = named.exec(headers['content-type'] ?? '') ?? named.exec(body.toString('latin1', 0, 1_024));
  return decoderOf(label?.[1] ?? 'utf-8').decode(body);
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
