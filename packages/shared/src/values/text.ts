const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Length in Unicode code points, as every limit of the API counts. */
export function codePointLength(text: string): number {
  return text.length - (text.match(SURROGATE_PAIR)?.length ?? 0);
}

/** `text` cut to `limit` code points, `suffix` included, or `text` itself when it fits. */
export function truncate(text: string, limit: number, suffix: string): string {
  // NOTE: UTF-16 units are never fewer than code points, so most texts are settled by the cheap test.
  if (text.length <= limit || codePointLength(text) <= limit) return text;
  return [...text].slice(0, limit - codePointLength(suffix)).join('') + suffix;
}

/** 1-based position of the first control character, lone surrogate or noncharacter; null when there is none. */
export function findForbiddenCharacter(text: string): number | null {
  let position = 0;
  for (const character of text) {
    position += 1;
    const code = character.codePointAt(0) as number;
    const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
    const isLoneSurrogate = code >= 0xd800 && code <= 0xdfff;
    const isNonCharacter = (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe;
    if (isControl || isLoneSurrogate || isNonCharacter) return position;
  }
  return null;
}

/** The same for a text of several lines, which may contain line breaks and tabs. */
export function findForbiddenInLines(text: string): number | null {
  return findForbiddenCharacter(text.replace(/[\n\r\t]/g, ' '));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
};

/** A text escaped for HTML, for content and attributes: in mails and pages, and where existing clients show a text as HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
