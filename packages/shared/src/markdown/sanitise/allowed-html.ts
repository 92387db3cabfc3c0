import { isAllowedHref } from '../links/allowed-href';
import { allowedMath, mathClasses, mathSpan } from './allowed-math';

/** Which values an attribute may have. */
export type AllowedValue = RegExp | ((value: string) => boolean);
export type AllowedTags = Record<string, Record<string, AllowedValue>>;

/** The short classes of highlighted code. */
const tokenNames =
  'bp c c1 ch cm cp cpf cs dl err esc fm g gd ge gh gi go gp gr gs gt gu il k kc kd kn kp kr kt l ld m mb mf mh mi mo ' +
  'n na nb nc nd ne nf ni nl nn no nt nv nx o ow p pm py s s1 s2 sa sb sc sd se sh si sr ss sx vc vg vi vm w x';
const tokenClasses = new RegExp(`^(?:${tokenNames.replaceAll(' ', '|')})$`);

const mentionClasses = /^(?:user-mention(?: channel-wildcard-mention)?|topic-mention|user-group-mention)(?: silent)?$/;
const emojiClasses = /^emoji emoji-[0-9a-f]{2,6}(?:-[0-9a-f]{2,6})*$/;
const errorClasses = /^tex-error$/;
const id = /^\d+$/;
const anything = /^/;
const cell = { style: /^text-align: (?:left|center|right);$/ };

const isUploadAddress = /^\/user_uploads\//;

/** Every element, attribute and value that the dialect can produce. */
export const allowedHtml: AllowedTags = {
  ...allowedMath,
  a: {
    'data-id': /^[\w-]+$/,
    class: /^(?:stream|stream-topic|message-link|message_embed_image)$/,
    'data-stream-id': id,
    href: isAllowedHref,
    style: /^background-image: url\(&quot;https?:\/\/(?:[^\s"'()\\<>&;]|&amp;)+&quot;\)$/,
    title: anything,
  },
  audio: { controls: /^$/, preload: /^metadata$/, src: isUploadAddress, title: anything },
  blockquote: {},
  br: {},
  code: {},
  del: {},
  div: {
    'aria-hidden': /^true$/,
    class:
      /^(?:codehilite|spoiler-block|spoiler-header|spoiler-content|(?:youtube-video )?message_inline_image|message_inline_image message_inline_video|message_embed|data-container|message_embed_(?:title|description))$/,
    'data-code-language': anything,
  },
  em: {},
  h1: {},
  h2: {},
  h3: {},
  h4: {},
  h5: {},
  h6: {},
  hr: {},
  img: {
    alt: anything,
    class: /^(?:emoji|image-loading-placeholder|inline-image(?: image-loading-placeholder)?)$/,
    'data-animated': /^true$/,
    'data-original-content-type': /^image\/[a-z]+$/,
    'data-original-dimensions': /^\d+x\d+$/,
    'data-original-src': isUploadAddress,
    src: isAllowedHref,
    title: anything,
  },
  li: {},
  ol: { start: id },
  p: {},
  pre: {},
  span: {
    ...mathSpan,
    'aria-label': anything,
    class: (value) =>
      [tokenClasses, mentionClasses, emojiClasses, errorClasses, mathClasses].some((classes) => classes.test(value)),
    'data-user-group-id': id,
    'data-user-id': /^(?:\d+|\*)$/,
    role: /^img$/,
    title: anything,
  },
  strong: {},
  table: {},
  tbody: {},
  td: cell,
  th: cell,
  thead: {},
  time: { datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ },
  tr: {},
  ul: {},
  video: { 'data-video-original-url': isAllowedHref, preload: /^metadata$/, src: isAllowedHref },
};

/** Whether an element may have the attribute with that value, both as they are written in HTML. */
export function isAllowedValue(tag: string, attribute: string, value: string): boolean {
  const rule = allowedHtml[tag]?.[attribute];
  return rule instanceof RegExp ? rule.test(value) : rule?.(value) === true;
}
