import { element, type HtmlNode } from '../html-node';
import type { InlineRule } from './inline-scope';
import { replaceMatches } from './replace-matches';

/** `***both***` comes before everything but code, so that it is not read as `**` and a stray `*`. */
export const strongEmphasisRule = emphasisRule(
  'strongEmphasis',
  '***',
  /\*{3}(?!\s)([^*^\n]+)(?<!\s)\*{3}/g,
  (children) => element('strong', {}, [element('em', {}, children)]),
);

/** Inner spaces are allowed. */
export const strongRule = emphasisRule('strong', '**', /\*\*([^\n]+?)\*\*/g, (children) =>
  element('strong', {}, children),
);

export const emphasisStarRule = emphasisRule('emphasis', '*', /\*(?!\s)([^*^\n]+)(?<!\s)\*/g, (children) =>
  element('em', {}, children),
);

export const strikethroughRule = emphasisRule('strikethrough', '~~', /(?<!~)~~([^~\n]+)~~(?!~)/g, (children) =>
  element('del', {}, children),
);

function emphasisRule(
  name: string,
  marker: string,
  pattern: RegExp,
  wrap: (children: HtmlNode[]) => HtmlNode,
): InlineRule {
  const rule: InlineRule = {
    name,
    needs: [marker],
    apply(text, scope) {
      return replaceMatches(text, pattern, scope, ([, inner = '']) => [wrap(scope.parseInside(inner, rule))]);
    },
  };
  return rule;
}
