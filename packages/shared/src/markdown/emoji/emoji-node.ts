import { findEmojiCode } from '../../emoji';
import { element, type HtmlElement } from '../html-node';
import type { PreparedFacts } from '../prepare-facts';

/** An emoji by name; the organization's own come first. */
export function emojiNode(name: string, facts: PreparedFacts): HtmlElement | null {
  const title = name.replaceAll('_', ' ');
  const custom = facts.findCustomEmoji(name);
  if (custom) return element('img', { alt: `:${name}:`, class: 'emoji', src: custom.sourceUrl, title });
  const code = findEmojiCode(name);
  return code === undefined ? null : unicodeEmojiNode(name, code);
}

export function unicodeEmojiNode(name: string, code: string): HtmlElement {
  const title = name.replaceAll('_', ' ');
  return element('span', { 'aria-label': title, class: `emoji emoji-${code}`, role: 'img', title }, [`:${name}:`]);
}
