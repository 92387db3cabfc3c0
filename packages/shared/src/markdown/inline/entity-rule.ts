import type { InlineRule } from './inline-scope';
import { replaceMatches } from './replace-matches';

/** `&copy;` and `&#39;` are written as they were typed, and no later rule sees them. */
export const entityRule: InlineRule = {
  name: 'entity',
  needs: ['&'],
  apply(text, scope) {
    const pattern = /&(?:#[0-9]{1,9}|#x[0-9a-fA-F]{1,9}|[0-9a-zA-Z]{1,20});/g;
    return replaceMatches(text, pattern, scope, ([entity]) => [{ html: entity, isBlock: false, text: entity }]);
  },
};
