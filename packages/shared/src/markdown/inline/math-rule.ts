import { renderInlineMath } from '../math/render-math';
import type { InlineRule } from './inline-scope';
import { replaceMatches } from './replace-matches';

/** `$$x^2$$`. */
export const mathRule: InlineRule = {
  name: 'math',
  needs: ['$$'],
  apply(text, scope) {
    const pattern = /(?<![\p{L}\p{N}_$])\$\$([^\n_$](?:\\\$|[^$\n])*)\$\$(?![\p{L}\p{N}_$])/gu;
    return replaceMatches(text, pattern, scope, ([, tex = '']) => [renderInlineMath(scope.plain(tex), scope.budget)]);
  },
};
