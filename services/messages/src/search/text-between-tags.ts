import { selfClosing } from '@parley/shared/markdown';

/** A tag, whose attributes may have anything between quotes, or the text up to the next one. */
const PIECES = /<(\/?)([a-z0-9]+)(?:[^"'>]|"[^"]*"|'[^']*')*>|[^<]+|</gi;
const VOID_TAGS: ReadonlySet<string> = new Set(selfClosing);

/** Rewrites the text between the tags of stored HTML, which is well-formed; all else stays as it is. */
export function mapTextBetweenTags(html: string, transform: (text: string, tagName: string) => string): string {
  const open: string[] = [];
  return html.replace(PIECES, (piece, slash?: string, tagName?: string) => {
    if (tagName === undefined) return transform(piece, open.at(-1) ?? '');
    if (slash) open.pop();
    else if (!VOID_TAGS.has(tagName)) open.push(tagName);
    return piece;
  });
}
