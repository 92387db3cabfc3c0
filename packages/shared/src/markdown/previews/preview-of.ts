import { createHmac } from 'node:crypto';
import type { ImageProxy, MarkdownFacts, WebsiteCard } from '../facts';
import { element, type HtmlElement, type HtmlNode, type RawHtml, serialise } from '../html-node';
import type { PreparedFacts } from '../prepare-facts';
import { isPicture, pictureNode, uploadUrl } from './picture-node';
import { uploadPathOf } from './upload-path';

const imagePath = /\.(?:bmp|gif|jpe|jpeg|jpg|png|webp)$/i;
const videoPath = /\.(?:mp4|webm)$/i;

export interface Preview {
  node: HtmlElement;
  /** The link stays, even if the message has no other text. */
  keepsLink: boolean;
}

/** The preview of a link; null: none. `title` is the link's text if it differs from its address. */
export function previewOf(href: string, title: string | undefined, facts: PreparedFacts): Preview | null {
  const pathId = uploadPathOf(href);
  if (pathId !== null) return uploadPreview(href, pathId, title, facts);
  const url = /^https?:/.test(href) ? parse(href) : null;
  if (url === null) return null;
  const link = titled(href, title);
  const { imageProxy } = facts.all;
  if (videoPath.test(url.pathname)) return shown(videoNode(link, href, proxied(href, imageProxy)));
  if (isImage(url)) return shown(imageNode(link, element('img', { src: proxied(imageSource(url, href), imageProxy) })));
  const id = youtubeId(url);
  return id === null ? null : { node: youtubeNode(href, id, facts), keepsLink: true };
}

function uploadPreview(href: string, pathId: string, title: string | undefined, facts: PreparedFacts): Preview | null {
  const upload = facts.findUpload(pathId);
  if (!upload) return null;
  const link = titled(href, title);
  if (videoPath.test(pathId)) return shown(videoNode(link, uploadUrl(pathId), uploadUrl(pathId)));
  return isPicture(upload) ? shown(imageNode(link, pictureNode(upload))) : null;
}

const shown = (node: HtmlElement): Preview => ({ node, keepsLink: false });

function titled(href: string, title: string | undefined): Record<string, string> {
  return title === undefined ? { href } : { href, title };
}

function imageNode(link: Record<string, string>, image: HtmlElement): HtmlElement {
  return element('div', { class: 'message_inline_image' }, [element('a', link, [image])]);
}

function videoNode(link: Record<string, string>, url: string, src: string): HtmlElement {
  const original = src === url ? {} : { 'data-video-original-url': url };
  const video = element('video', { ...original, preload: 'metadata', src });
  return element('div', { class: 'message_inline_image message_inline_video' }, [element('a', link, [video])]);
}

function youtubeNode(href: string, id: string, { all }: PreparedFacts): HtmlElement {
  const src = proxied(`https://i.ytimg.com/vi/${id}/default.jpg`, all.imageProxy);
  const link = element('a', { 'data-id': id, href }, [element('img', { src })]);
  return element('div', { class: 'youtube-video message_inline_image' }, [link]);
}

function isImage({ hostname, pathname }: URL): boolean {
  // Addresses of this site look like images but are pages.
  return imagePath.test(pathname) && hostname !== 'pasteboard.co';
}

/** Pages about an image at some well-known sites are replaced by the image itself. */
function imageSource({ hostname, pathname, origin }: URL, href: string): string {
  const blob = /^(\/[^/]+\/[^/]+)\/blob\/(.+)$/.exec(pathname);
  if (hostname === 'github.com' && blob) return `https://raw.githubusercontent.com${blob[1]}/${blob[2]}`;
  if (hostname.endsWith('.wikipedia.org') && pathname.startsWith('/wiki/File:')) {
    return `${origin}${pathname.replace('/wiki/File:', '/wiki/Special:FilePath/File:')}`;
  }
  return href;
}

function parse(href: string): URL | null {
  return URL.canParse(href) ? new URL(href) : null;
}

const maxUrlLength = 2_000;

/** The card of a page, if it is known; the page's address is added to `wanted` in any case. Null if the address is not a page. */
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

/** Written without newlines around it. */
function divOf(name: string, children: HtmlNode[]): RawHtml {
  return { html: serialise([element('div', { class: name }, children)]), isBlock: false, text: '' };
}

/** An address escaped so that it ends neither the quotes in a style nor, as an entity, the attribute. */
function inStyle(url: string): string {
  return url.replace(
    /[\s"'()\\<>;]/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

const hosts = new Set([
  'm.youtube.com',
  'www.youtube.com',
  'www.youtube-nocookie.com',
  'youtube.com',
  'youtube-nocookie.com',
]);

/** The id of the video at an address; null for other addresses. */
function youtubeId(url: URL): string | null {
  const id =
    url.hostname === 'youtu.be' ? url.pathname.slice(1) : hosts.has(url.hostname) ? idAtYoutube(url) : undefined;
  return id !== undefined && /^[\w-]+$/.test(id) ? id : null;
}

function idAtYoutube({ pathname, searchParams }: URL): string | undefined {
  if (pathname === '/watch' || pathname === '/watch_popup') return searchParams.get('v') ?? undefined;
  if (pathname === '/watch_videos') return searchParams.get('video_ids')?.split(',', 1)[0];
  return /^\/(?:embed|shorts|v)\/([^/]*)/.exec(pathname)?.[1];
}

/** The address of another site's image for browsers: through the proxy if there is one. */
function proxied(url: string, proxy: ImageProxy | undefined): string {
  if (!proxy) return url;
  const signature = createHmac('sha1', proxy.key).update(url).digest('hex');
  return `${proxy.url}${signature}/${Buffer.from(url).toString('hex')}`;
}
