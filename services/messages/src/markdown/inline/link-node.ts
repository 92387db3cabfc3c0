import { element, type HtmlNode } from '../html-node';
import { relativeToRealm, safeHref } from '../links/safe-href';
import type { InlineScope } from './inline-scope';

/** A link, or null where the address is not one that a message may lead to. Without text it shows its address. */
export function linkNode(scope: InlineScope, url: string, text: HtmlNode[], title?: string): HtmlNode | null {
  const safe = safeHref(url);
  if (safe === null) return null;
  scope.budget.spend(safe.length);
  scope.findings.hasLink = true;
  const href = relativeToRealm(safe, scope.facts.all.realmUrl);
  return element('a', title ? { href, title } : { href }, text.length > 0 ? text : [safe]);
}
