import { element } from '../html-node';
import { literal } from '../serialise';
import type { InlineRule } from './inline-scope';

/** Any number of backticks, closed by as many. Nothing inside is markup, and its spaces are kept. */
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

/** Finds where a code span ends; all calls together look at each run of backticks once for each of its lengths. */
class ClosingRuns {
  private readonly positions = new Map<number, number[]>();

  constructor(runs: RegExpExecArray[]) {
    for (const { 0: run, index } of runs.toReversed()) {
      const known = this.positions.get(run.length);
      if (known) known.push(index);
      else this.positions.set(run.length, [index]);
    }
  }

  /** Without an end of its own length the opening run gives up backticks to the code, one by one. */
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
