import { shortTimeOf } from './times';

/** The facts for preparing rendered content. */
export interface ContentFacts {
  userId: number;
  /** Groups that the user is in. */
  groupIds: ReadonlySet<number>;
  labels: { copy: string; reveal: string; picture: string };
}

type Prepare = (part: HTMLElement, facts: ContentFacts) => void;

/** Makes what the server rendered usable: in the document that it is not part of yet, so nothing is laid out twice. */
export function prepare(content: DocumentFragment, facts: ContentFacts): void {
  // One search for all of them: most messages have none.
  for (const part of content.querySelectorAll<HTMLElement>(ANY)) {
    for (const [selector, apply] of PREPARATIONS) if (part.matches(selector)) apply(part, facts);
  }
  markLargeEmoji(content);
}

const PREPARATIONS: readonly (readonly [string, Prepare])[] = [
  ['.message_embed', prepareEmbed],
  ['.message_inline_video', prepareVideo],
  ['audio', prepareAudio],
  ['.message_inline_image:not(.message_inline_video)', preparePicture],
  ['img.inline-image', prepareInlinePicture],
  ['img:not(.emoji)', prepareImage],
  ['span.emoji', prepareEmoji],
  ['.codehilite', prepareCode],
  ['.spoiler-block', prepareSpoiler],
  ['time[datetime]', prepareTime],
  ['.user-mention, .user-group-mention, .topic-mention', prepareMention],
  ['a[href]', prepareLink],
];

const ANY = PREPARATIONS.map(([selector]) => selector).join();

const isOwn = (address: string) => {
  try {
    return new URL(address, location.href).origin === location.origin;
  } catch {
    return false;
  }
};

/** The page loads nothing from elsewhere: instead of a picture there is its address. */
function linkInstead(of: HTMLElement, address: string): void {
  const links = [...(of.parentNode?.querySelectorAll('a') ?? [])];
  if (links.some((link) => link.getAttribute('href') === address && !of.contains(link))) {
    of.remove();
    return;
  }
  const link = document.createElement('a');
  link.href = address;
  link.textContent = address;
  const line = document.createElement('p');
  line.append(link);
  of.replaceWith(line);
}

function preparePicture(part: HTMLElement, { labels }: ContentFacts): void {
  const [link, image] = [part.querySelector('a'), part.querySelector('img')];
  if (!link || !image) return;
  if (!isOwn(image.getAttribute('src') ?? '')) {
    linkInstead(part, link.getAttribute('href') ?? '');
    return;
  }
  if (part.classList.contains('youtube-video')) return;
  link.classList.add('shown-picture');
  const name = link.title || fileNameIn(link.href);
  image.alt ||= name;
  link.setAttribute('aria-label', `${labels.picture} ${name}`.trim());
}

function prepareInlinePicture(part: HTMLElement, { labels }: ContentFacts): void {
  const original = part.getAttribute('data-original-src');
  if (!original || part.closest('a')) return;
  const link = document.createElement('a');
  link.href = original;
  link.className = 'shown-picture';
  link.setAttribute('aria-label', `${labels.picture} ${part.getAttribute('alt') ?? ''}`.trim());
  part.replaceWith(link);
  link.append(part);
}

/** The size of pictures in the list, in pixels. */
const MOST_WIDTH = 416;
const MOST_HEIGHT = 224;

/** With its size, so that nothing moves when it is loaded. */
function prepareImage(part: HTMLElement): void {
  const image = part as HTMLImageElement;
  const [width, height] = (image.dataset['originalDimensions'] ?? '').split('x').map(Number);
  if (width && height) {
    const shown = Math.min(width, MOST_WIDTH, (MOST_HEIGHT * width) / height);
    Object.assign(image, { width, height });
    image.style.width = `${Math.max(Math.round(shown), 1)}px`;
  }
  image.loading = 'lazy';
  image.decoding = 'async';
}

function prepareVideo(part: HTMLElement): void {
  const video = part.querySelector('video');
  const link = part.querySelector('a');
  if (!video || !link) return;
  if (!isOwn(video.getAttribute('src') ?? '')) {
    linkInstead(part, link.getAttribute('href') ?? '');
    return;
  }
  video.controls = true;
  video.setAttribute('aria-label', link.title || fileNameIn(video.getAttribute('src') ?? ''));
  link.replaceWith(video);
}

/** With its name, by which it can be opened and kept, too. */
function prepareAudio(part: HTMLElement): void {
  const address = part.getAttribute('src') ?? '';
  if (!isOwn(address)) {
    linkInstead(part, address);
    return;
  }
  const link = document.createElement('a');
  link.href = address;
  link.textContent = part.title || fileNameIn(address);
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  part.setAttribute('aria-label', link.textContent);
  part.before(link);
}

function fileNameIn(address: string): string {
  const name = new URL(address, location.href).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function prepareEmbed(part: HTMLElement): void {
  const image = part.querySelector<HTMLElement>('.message_embed_image');
  const [, address = ''] = /url\("?([^")]+)"?\)/.exec(image?.style.backgroundImage ?? '') ?? [];
  if (image && !isOwn(address)) image.remove();
  else image?.setAttribute('aria-hidden', 'true');
  if (image) image.tabIndex = -1;
}

function prepareEmoji(part: HTMLElement): void {
  const code = /emoji-([0-9a-f-]+)/.exec(part.className)?.[1];
  const points = code?.split('-').map((each) => Number.parseInt(each, 16));
  if (points?.every((point) => point > 0 && point <= 0x10ffff)) part.textContent = String.fromCodePoint(...points);
}

function prepareCode(part: HTMLElement, { labels }: ContentFacts): void {
  const code = part.querySelector('pre');
  code?.setAttribute('tabindex', '0');
  const language = part.getAttribute('data-code-language');
  const bar = document.createElement('div');
  bar.className = 'code-bar';
  bar.dir = 'ltr';
  if (language) bar.append(language);
  bar.append(button('copy-code', labels.copy));
  part.prepend(bar);
}

function prepareSpoiler(part: HTMLElement, { labels }: ContentFacts): void {
  const header = part.querySelector<HTMLElement>('.spoiler-header');
  const content = part.querySelector<HTMLElement>('.spoiler-content');
  if (!header || !content) return;
  content.hidden = true;
  content.removeAttribute('aria-hidden');
  const toggle = button('spoiler-toggle', labels.reveal);
  toggle.setAttribute('aria-expanded', 'false');
  header.prepend(toggle);
}

function button(name: string, label: string): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  // The direction of the message is that of its own words.
  made.dir = 'auto';
  made.className = name;
  made.textContent = label;
  return made;
}

function prepareTime(part: HTMLElement): void {
  const date = new Date(part.getAttribute('datetime') ?? '');
  if (Number.isNaN(date.getTime())) return;
  part.title = part.textContent ?? '';
  part.textContent = shortTimeOf(date);
}

function prepareMention(part: HTMLElement, { userId, groupIds }: ContentFacts): void {
  const { userId: of, userGroupId: group } = part.dataset;
  const isOfEverybody = of === '*' || part.classList.contains('topic-mention');
  const isOfUser = of === String(userId) || (group !== undefined && groupIds.has(Number(group)));
  if ((isOfUser || isOfEverybody) && !part.classList.contains('silent')) part.classList.add('own');
  if (isOfEverybody || (of === undefined && group === undefined)) return;
  part.setAttribute('role', 'button');
  part.tabIndex = 0;
}

function prepareLink(part: HTMLElement): void {
  const link = part as HTMLAnchorElement;
  const isInside = isOwn(link.href) && new URL(link.href).pathname === '/';
  if (isInside) link.removeAttribute('target');
  else Object.assign(link, { target: '_blank', rel: 'noopener noreferrer' });
}

/** A message of a few emoji and nothing else is shown large. */
const MOST_LARGE = 6;

function markLargeEmoji(content: DocumentFragment): void {
  const [line] = content.children;
  if (content.childElementCount !== 1 || line?.tagName !== 'P') return;
  const isEmoji = (node: Node) =>
    node instanceof HTMLElement ? node.classList.contains('emoji') : node.textContent?.trim() === '';
  if (line.childElementCount <= MOST_LARGE && line.childElementCount > 0 && [...line.childNodes].every(isEmoji))
    line.classList.add('large-emoji');
}
