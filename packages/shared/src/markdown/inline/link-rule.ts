import { type HtmlNode, isElement } from '../html-node';
import type { InlineRule, InlineScope } from './inline-scope';
import { linkNode } from './link-node';
import { parseLinkTarget } from './parse-link-target';

/** `[text](url "title")`. The text is atomic: rules after this one do not see it; of a link in it only the text is left. */
export const linkRule: InlineRule = {
  name: 'link',
  needs: [']('],
  apply(text, scope) {
    const closingBrackets = pairBrackets(text);
    let result = '';
    let done = 0;
    for (const [open, close] of closingBrackets) {
      if (open < done || text[close + 1] !== '(') continue;
      const link = readLink(text, open, close, scope);
      if (!link) continue;
      result += text.slice(done, open) + link.mark;
      done = link.end;
    }
    return result + text.slice(done);
  },
};

/** Each `[` that has a `]` of its own, from left to right. */
function pairBrackets(text: string): [number, number][] {
  const pairs: [number, number][] = [];
  const open: number[] = [];
  for (const { 0: bracket, index } of text.matchAll(/[[\]]/g)) {
    if (bracket === '[') open.push(index);
    else if (open.length > 0) pairs.push([open.pop() ?? 0, index]);
  }
  return pairs.sort(([a], [b]) => a - b);
}

function readLink(text: string, open: number, close: number, scope: InlineScope) {
  const target = parseLinkTarget(text, close + 2, scope.budget);
  if (!target) return null;
  const label = withoutLinks(scope.expand(text.slice(open + 1, close)));
  const link = linkNode(scope, scope.plain(target.url), label, scope.plain(target.title));
  return link && { mark: scope.put([link]), end: target.end };
}

/** Browsers end a link where another begins. */
function withoutLinks(nodes: HtmlNode[]): HtmlNode[] {
  return nodes.flatMap((node) => {
    if (!isElement(node)) return [node];
    const children = withoutLinks(node.children);
    return node.tag === 'a' ? children : [{ ...node, children }];
  });
}
