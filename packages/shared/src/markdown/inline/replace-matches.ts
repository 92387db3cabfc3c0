import type { HtmlNode } from '../html-node';
import type { InlineScope } from './inline-scope';

/** Replaces what the pattern matches by what `build` makes of it; a match for which it answers null stays text. */
export function replaceMatches(
  text: string,
  pattern: RegExp,
  scope: InlineScope,
  build: (match: RegExpExecArray) => HtmlNode[] | null,
): string {
  let result = '';
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    const nodes = build(match);
    if (nodes === null) continue;
    result += text.slice(done, match.index) + scope.put(nodes);
    done = match.index + match[0].length;
  }
  return done === 0 ? text : result + text.slice(done);
}
