import { findEmojiName } from '../../emoji';
import { emojiNode, unicodeEmojiNode } from '../emoji/emoji-node';
import type { InlineRule, InlineScope } from './inline-scope';
import { replaceMatches } from './replace-matches';

/** `:name:`. The colon that ends an unknown name may begin a known one. */
export const emojiNameRule: InlineRule = {
  name: 'emojiName',
  needs: [':'],
  apply(text, scope) {
    let result = '';
    let done = 0;
    for (const { 1: name = '', index } of text.matchAll(/:([\w\-+]+)(?=:)/g)) {
      const node = index < done ? null : emojiNode(name, scope.facts);
      if (!node) continue;
      result += text.slice(done, index) + scope.put([node]);
      done = index + name.length + 2;
    }
    return result + text.slice(done);
  },
};

const emoticons: Record<string, string> = {
  ':)': 'smile',
  '(:': 'smile',
  ':(': 'frown',
  '<3': 'heart',
  ':|': 'neutral',
  ':/': 'confused',
  ';)': 'wink',
  ':D': 'grinning',
  ':o': 'open_mouth',
  ':O': 'open_mouth',
  ':p': 'stuck_out_tongue',
  ':P': 'stuck_out_tongue',
};

/** `:)`, for those who asked for it; not inside a word. */
export const emoticonRule: InlineRule = {
  name: 'emoticon',
  needs: [':', ';', '<3'],
  apply(text, scope) {
    const pattern = /(?<![^,.;?!()[\] "'\n\t])(?::[)(|/DoOpP]|\(:|<3|;\))(?![^,.;?!()[\] "'\n\t])/g;
    return replaceMatches(text, pattern, scope, ([emoticon]) => {
      const node = emojiNode(emoticons[emoticon] ?? '', scope.facts);
      return node && [node];
    });
  },
};

/**
 * Emoji as characters. What most fonts show as text (digits, arrows, ©) is left alone. A sequence that has no name of
 * its own is taken apart.
 */
export const unicodeEmojiRule: InlineRule = {
  name: 'unicodeEmoji',
  needs: [''],
  apply(text, scope) {
    return isAscii(text) ? text : text.replace(emojiSequence, (sequence) => markEmoji(sequence, scope));
  },
};

const base =
  '[\\u231a\\u231b\\u23e9-\\u23f3\\u23f8-\\u23fa\\u2600-\\u27bf\\u2b50\\u2b55\\u{1f004}\\u{1f0cf}\\u{1f18e}\\u{1f191}-\\u{1f64f}' +
  '\\u{1f680}-\\u{1f6ff}\\u{1f7e0}-\\u{1f7f0}\\u{1f900}-\\u{1f9ff}\\u{1fa70}-\\u{1faff}]';
const joined = '\\ufe0f?[\\u{1f3fb}-\\u{1f3ff}]?';
const emojiSequence = new RegExp(
  `(?:[\\u{1f1e6}-\\u{1f1ff}]{2}|${base}${joined}[\\u{e0020}-\\u{e007f}]{0,8})` +
    `(?:\\u200d\\p{Extended_Pictographic}${joined}){0,8}`,
  'gu',
);

function markEmoji(sequence: string, scope: InlineScope): string {
  const points = [...sequence];
  scope.budget.spend(points.length * maxPoints);
  const codes = points.map(codeOf);
  let result = '';
  for (let at = 0; at < points.length; ) {
    const { length, name, code } = longestEmoji(codes, at);
    result += name === undefined ? points[at] : scope.put([unicodeEmojiNode(name, code)]);
    at += length;
  }
  return result;
}

/** No emoji that has a name is made of more code points. */
const maxPoints = 10;
const variationSelector = 'fe0f';

function longestEmoji(codes: string[], from: number): { length: number; name?: string | undefined; code: string } {
  for (let to = Math.min(codes.length, from + maxPoints); to > from; to--) {
    const code = joinCodes(codes.slice(from, to));
    const name = findEmojiName(code);
    if (name !== undefined) return { length: to - from, name, code };
  }
  return { length: 1, code: '' };
}

function joinCodes(codes: string[]): string {
  return codes.filter((code) => code !== variationSelector).join('-');
}

function codeOf(point: string): string {
  return (point.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
}

function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}
