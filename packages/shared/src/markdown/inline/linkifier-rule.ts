import type { MarkdownFacts } from '../facts';
import { findLinkifierMatches } from '../links/linkify';
import type { InlineRule } from './inline-scope';
import { linkNode } from './link-node';

/** One of the organization's own patterns, such as `#123` for a ticket. */
export function linkifierRule(linkifier: MarkdownFacts['linkifiers'][number]): InlineRule {
  return {
    name: 'linkifier',
    needs: [''],
    apply(text, scope) {
      let result = '';
      let done = 0;
      for (const { start, end, url } of findLinkifierMatches(linkifier, text, scope.budget)) {
        const link = linkNode(scope, url, scope.expand(text.slice(start, end)));
        if (!link) continue;
        result += text.slice(done, start) + scope.put([link]);
        done = end;
      }
      return result + text.slice(done);
    },
  };
}
