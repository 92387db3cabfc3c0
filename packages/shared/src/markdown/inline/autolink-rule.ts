import { findBareUrl } from '../links/bare-url';
import { type InlineRule, type InlineScope, mark } from './inline-scope';
import { linkNode } from './link-node';

/** What every URL has somewhere, so that most words need no closer look. */
const telltale = /\w[.:@]\w|:\/\/\w|[\u0080-\uffff]/;

/** `https://example.com/path`, `example.com`, `someone@example.com`. */
export const autolinkRule: InlineRule = {
  name: 'autolink',
  needs: ['.', '://', 'bitcoin:'],
  apply(text, scope) {
    return text.replace(/\S+/g, (word) => (telltale.test(word) ? linkWithin(word, scope) : word));
  },
};

function linkWithin(word: string, scope: InlineScope): string {
  scope.budget.spend(word.length);
  const found = findBareUrl(word);
  if (found === null || found.url.search(mark) !== -1) return word;
  const link = linkNode(scope, found.url, [found.url]);
  return link ? word.slice(0, found.start) + scope.put([link]) + word.slice(found.start + found.url.length) : word;
}
