import { findEmojiCode, findEmojiName } from '../../emoji';
import { element, type HtmlElement } from '../html-node';
import type { PreparedFacts } from '../prepare-facts';
import { type InlineRule, type InlineScope, replaceMatches } from './inline-scope';

/** `:name:`. The colon at the end of an unknown name may begin a known one. */
export const emojiNameRule: InlineRule = {
  name: 'emojiName',
  needs: [':'],
  apply(text, scope) {
    let result = '';
    let done = 0;
    for (const { 1: name = '', index } of text.matchAll(/:([\p{L}\p{N}_\-+]+)(?=:)/gu)) {
      const node = index < done ? null : emojiNode(name, scope.facts);
      if (!node) continue;
      result += text.slice(done, index) + scope.put([node]);
      done = index + name.length + 2;
    }
    return result + text.slice(done);
  },
};

/** The emoticons' emoji, by code. */
const emoticons: Record<string, string> = {
  ':)': '1f642',
  '(:': '1f642',
  ':(': '1f641',
  '<3': '2764',
  ':|': '1f610',
  ':/': '1f615',
  ';)': '1f609',
  ':D': '1f600',
  ':o': '1f62e',
  ':O': '1f62e',
  ':p': '1f61b',
  ':P': '1f61b',
};

/** `:)`, for users with that setting; not inside a word. */
export const emoticonRule: InlineRule = {
  name: 'emoticon',
  needs: [':', ';', '<3'],
  apply(text, scope) {
    const pattern = /(?<![^,.;?!()[\] "'\n\t])(?::[)(|/DoOpP]|\(:|<3|;\))(?![^,.;?!()[\] "'\n\t])/g;
    return replaceMatches(text, pattern, scope, ([emoticon]) => {
      const code = emoticons[emoticon] ?? '';
      const name = findEmojiName(code);
      return name === undefined ? null : [unicodeEmojiNode(name, code)];
    });
  },
};

/**
 * Emoji as characters. Characters that fonts show as text by default (digits, arrows, ©) count only with U+FE0F. A sequence
 * without a name, such as one with a skin tone, stays text as a whole, because its parts are other emoji.
 */
export const unicodeEmojiRule: InlineRule = {
  name: 'unicodeEmoji',
  needs: [''],
  apply(text, scope) {
    return isAscii(text) ? text : text.replace(emojiSequence, (sequence) => markEmoji(sequence, scope));
  },
};

const flag = '[\\u{1f1e6}-\\u{1f1ff}]{1,2}';
const keycap = '[0-9#*]\\ufe0f?\\u20e3';
const pictogram =
  '(?:\\p{Extended_Pictographic}|\\p{Emoji_Presentation})[\\ufe0e\\ufe0f]?[\\u{1f3fb}-\\u{1f3ff}]?[\\u{e0020}-\\u{e007f}]*';
const part = `(?:${flag}|${keycap}|${pictogram})`;
const emojiSequence = new RegExp(`${part}(?:\\u200d${part})*`, 'gu');

/** No named emoji is longer. */
const maxLength = 24;
const emojiSelector = '\ufe0f';
const isOneShownAsText = /^(?:\P{Emoji_Presentation}|[0-9#*]\u20e3)$/u;

function markEmoji(sequence: string, scope: InlineScope): string {
  if (sequence.length > maxLength) return sequence;
  scope.budget.spend(sequence.length);
  if (isOneShownAsText.test(sequence)) return sequence;
  const code = codeOf(sequence);
  const name = findEmojiName(code);
  return name === undefined ? sequence : scope.put([unicodeEmojiNode(name, code)]);
}

function codeOf(sequence: string): string {
  const points = [...sequence].filter((point) => point !== emojiSelector);
  return points.map((point) => (point.codePointAt(0) ?? 0).toString(16).padStart(4, '0')).join('-');
}

function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}

/** An emoji by name; the organization's own take precedence. */
function emojiNode(name: string, facts: PreparedFacts): HtmlElement | null {
  const title = name.replaceAll('_', ' ');
  const custom = facts.findCustomEmoji(name);
  if (custom) return element('img', { alt: `:${name}:`, class: 'emoji', src: custom.sourceUrl, title });
  const code = findEmojiCode(name);
  return code === undefined ? null : unicodeEmojiNode(name, code);
}

function unicodeEmojiNode(name: string, code: string): HtmlElement {
  const title = name.replaceAll('_', ' ');
  return element('span', { 'aria-label': title, class: `emoji emoji-${code}`, role: 'img', title }, [`:${name}:`]);
}
