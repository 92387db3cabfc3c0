import { isAllowedHref } from '../links/safe-href';

/** Which values an attribute may have. */
type AllowedValue = RegExp | ((value: string) => boolean);
type AllowedTags = Record<string, Record<string, AllowedValue>>;

/** The classes that KaTeX writes. */
const classes =
  'accent accent-body accent-full accentunder allowbreak amsrm angl anglpad armenian_fallback arraycolsep base ' +
  'boldsymbol boxpad brace-center brace-left brace-right brahmic_fallback cancel-lap cancel-pad cd-arrow-pad ' +
  'cd-label-left cd-label-right cd-vert-arrow cjk_fallback clap col-align-c col-align-l col-align-r cyrillic_fallback ' +
  'delim-size1 delim-size4 delimcenter delimsizing delimsizinginner enclosing eqn-num fbox fcolorbox fix fleqn ' +
  'fontsize-ensurer frac-line georgian_fallback halfarrow-left halfarrow-right hangul_fallback hbox hdashline hide-tail ' +
  'hline inner katex katex-display katex-html katex-mathml large-op latin_fallback leftmost leqno llap mainrm math ' +
  'mathbb mathbf mathboldfrak mathboldsf mathcal mathfrak mathit mathitsf mathnormal mathrm mathscr mathsf mathsfit ' +
  'mathtt mbin mclose mfrac minner mml-eqn-num mop mopen mord mover mpunct mrel mspace msupsub mtable mtight mtr-glue ' +
  'mult munder negativethinspace newline nobreak nulldelimiter op-limits op-symbol overlay overline overline-line ' +
  'pstrut rightmost rlap root rule sizing small-op smash sout sqrt stretchy strut svg-align tag text textbb textbf ' +
  'textboldfrak textboldsf textfrak textit textitsf textrm textscr textsf texttt thinbox underline underline-line ' +
  'vbox vcenter vertical-separator vlist vlist-r vlist-s vlist-t vlist-t2 x-arrow x-arrow-pad';

const numbered = '(?:reset-)?size(?:[1-9]|1[01])';
const className = `(?:${classes.split(' ').join('|')}|${numbered})`;
const mathClasses = new RegExp(`^(?:${className}(?: |$))+$`);

/** Lengths, names and colours, but no function: nothing in a style can load anything. */
const style = /^(?:[a-z-]+: ?[\w.#%+ -]+(?:;|$))+$/;
const word = /^[\w.#%+ ()-]*$/;

/** Elements and attributes of KaTeX's HTML and MathML, beside `span`. */
const allowedMath: AllowedTags = {
  math: { display: /^block$/, xmlns: /^http:\/\/www\.w3\.org\/1998\/Math\/MathML$/ },
  semantics: {},
  annotation: { encoding: /^application\/x-tex$/ },
  svg: {
    height: word,
    preserveAspectRatio: word,
    style,
    viewBox: word,
    width: word,
    xmlns: /^http:\/\/www\.w3\.org\/2000\/svg$/,
  },
  path: { d: /^[\w\s.,-]*$/ },
  line: { 'stroke-width': word, x1: word, x2: word, y1: word, y2: word },
};

const mathMl =
  'menclose mfrac mi mlabeledtr mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub msubsup msup';
const moreMathMl = 'mtable mtd mtext mtr munder munderover';
const mathMlAttributes =
  'accent accentunder columnalign columnlines columnspacing depth displaystyle fence height largeop linebreak ' +
  'linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation rowlines ' +
  'rowspacing rspace scriptlevel separator side stretchy symmetric valign voffset width';

for (const tag of `${mathMl} ${moreMathMl}`.split(' ')) {
  const attributes = mathMlAttributes.split(' ').map((name) => [name, word] as const);
  allowedMath[tag] = { ...Object.fromEntries(attributes), class: mathClasses, style };
}

const mathSpan = { 'aria-hidden': /^true$/, style };

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
