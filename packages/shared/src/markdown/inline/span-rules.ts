import { element, type HtmlNode, literal } from '../html-node';
import { renderInlineMath } from '../math/render-math';
import { parseTime } from '../times/parse-time';
import { type InlineRule, replaceMatches } from './inline-scope';

/** Any number of backticks, closed by equally many. The content is not markup, and its spaces are kept. */
export const codeSpanRule: InlineRule = {
  name: 'codeSpan',
  needs: ['`'],
  apply(text, scope) {
    const runs = [...text.matchAll(/`+/g)];
    const closings = new ClosingRuns(runs);
    let result = '';
    let done = 0;
    for (const { 0: run, index } of runs) {
      if (index < done) continue;
      const { length, end } = closings.find(run.length, index + run.length);
      if (end === -1) continue;
      const code = element('code', {}, [literal(scope.plain(text.slice(index + length, end)))]);
      result += text.slice(done, index) + scope.put([code]);
      done = end + length;
    }
    return result + text.slice(done);
  },
};

/** Finds the end of a code span; all calls together read each run of backticks once for each of its lengths. */
class ClosingRuns {
  private readonly positions = new Map<number, number[]>();

  constructor(runs: RegExpExecArray[]) {
    for (const { 0: run, index } of runs.toReversed()) {
      const known = this.positions.get(run.length);
      if (known) known.push(index);
      else this.positions.set(run.length, [index]);
    }
  }

  /** Without an end of the same length the opening run passes backticks to the code, one by one. */
  find(openingLength: number, from: number): { length: number; end: number } {
    for (let length = openingLength; length > 0; length--) {
      const left = this.positions.get(length) ?? [];
      while (left.length > 0 && (left.at(-1) ?? 0) < from) left.pop();
      const end = left.at(-1);
      if (end !== undefined) return { length, end };
    }
    return { length: 0, end: -1 };
  }
}

/** `$$x^2$$`. */
export const mathRule: InlineRule = {
  name: 'math',
  needs: ['$$'],
  apply(text, scope) {
    const pattern = /(?<![\p{L}\p{N}_$])\$\$([^\n_$](?:\\\$|[^$\n])*)\$\$(?![\p{L}\p{N}_$])/gu;
    return replaceMatches(text, pattern, scope, ([, tex = '']) => [renderInlineMath(scope.plain(tex), scope.budget)]);
  },
};

/** `***both***` comes before all rules but code, so that it is not parsed as `**` and a `*`. */
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

/** `&copy;` and `&#39;` are written as typed; later rules do not see them. */
export const entityRule: InlineRule = {
  name: 'entity',
  needs: ['&'],
  apply(text, scope) {
    const pattern = /&(?:#[0-9]{1,9}|#x[0-9a-fA-F]{1,9}|[0-9a-zA-Z]{1,20});/g;
    return replaceMatches(text, pattern, scope, ([entity]) => [{ html: entity, isBlock: false, text: entity }]);
  },
};

/** `<time:2017-06-05T22:30:00Z>`: each reader sees it in their time zone. Invalid times stay text. */
export const timeRule: InlineRule = {
  name: 'time',
  needs: ['<time:'],
  apply(text, scope) {
    return replaceMatches(text, /<time:([^>\n]{1,100})>/g, scope, ([, written = '']) => {
      const timeMs = parseTime(written);
      if (timeMs === null) return null;
      const datetime = `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
      return [element('time', { datetime }, [written])];
    });
  },
};
