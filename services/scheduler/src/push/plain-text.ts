/** A tag of rendered content; attributes may contain `>`. Without an end it matches, too, so that nothing is searched twice. */
const TAG = /<(\/?)([a-z][a-z0-9]*)((?:"[^"]*"|[^">])*)(>?)/iy;
const VOID = new Set(['br', 'hr', 'img', 'input', 'source', 'wbr']);
const LINES = new Set(['p', 'div', 'li', 'br', 'hr', 'tr', 'blockquote', 'pre', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
/** What people open on purpose, and the second form of formulas, which is for the eye. */
const LEFT_OUT = /class="[^"]*\b(?:spoiler-content|katex-html)\b/;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The text of rendered content, for notifications: one line for each paragraph, at most `maxLength` characters. */
export function plainText(html: string, maxLength: number): string {
  const parts: string[] = [];
  let at = 0;
  /** Number of open elements within one that is left out; 0: none is. */
  let hiddenDepth = 0;
  for (const { from, to, isEnd, name, attributes } of tagsOf(html)) {
    if (hiddenDepth === 0) parts.push(html.slice(at, from), replacementOf(name, attributes));
    at = to;
    if (VOID.has(name)) continue;
    if (hiddenDepth > 0) hiddenDepth += isEnd ? -1 : 1;
    else if (!isEnd && isLeftOut(name, attributes)) hiddenDepth = 1;
  }
  if (hiddenDepth === 0) parts.push(html.slice(at));
  const lines = decodeEntities(parts.join('')).split('\n');
  const text = lines
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
  return shorten(text, maxLength);
}

function* tagsOf(html: string) {
  for (let from = html.indexOf('<'); from >= 0; from = html.indexOf('<', from + 1)) {
    TAG.lastIndex = from;
    const [tag = '', slash, name = '', attributes = '', end] = TAG.exec(html) ?? [];
    if (tag === '') continue;
    // The rest is no markup.
    if (end === '') return;
    yield { from, to: from + tag.length, isEnd: slash === '/', name: name.toLowerCase(), attributes };
    from += tag.length - 1;
  }
}

const isLeftOut = (name: string, attributes: string) => name === 'annotation' || LEFT_OUT.test(attributes);

/** Ends of lines, and the descriptions of emoji and pictures. */
function replacementOf(name: string, attributes: string): string {
  if (name === 'img') return /\salt="([^"]*)"/.exec(attributes)?.[1] ?? '';
  return LINES.has(name) ? '\n' : '';
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity;
  });
}

/** Cuts between characters, not within one. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '');
  return `${cut.trimEnd()}…`;
}
