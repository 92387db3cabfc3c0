import sanitizeHtml from 'sanitize-html';
import { options, serialised } from './sanitise';

/**
 * Rewrites the text between the tags of the dialect's HTML; tags stay as they are. The text is HTML too, in which `<`, `>` and `&`
 * are entities.
 */
export function mapText(html: string, transform: (text: string, tagName: string) => string): string {
  return serialised(sanitizeHtml(html, { ...options, textFilter: (text, tagName) => transform(text, tagName) }));
}
