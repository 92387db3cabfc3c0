import { element, type HtmlNode, isBlank } from '../html-node';
import { relativeToRealm, safeHref } from '../links/safe-href';
import { uploadPathOf } from '../previews/upload-path';
import type { InlineScope } from './inline-scope';

/** A link, or null where the address is not one that a message may lead to. Without text it shows its address. */
export function linkNode(scope: InlineScope, url: string, text: HtmlNode[], title?: string): HtmlNode | null {
  const safe = safeHref(url);
  if (safe === null) return null;
  scope.budget.spend(safe.length);
  const href = relativeToRealm(safe, scope.facts.all.realmUrl);
  noteLink(scope, href);
  const isTextless = text.every((node) => typeof node === 'string' && isBlank(node));
  return element('a', title ? { href, title } : { href }, isTextless ? [safe] : text);
}

function noteLink({ findings, isQuoted }: InlineScope, href: string): void {
  findings.hasLink = true;
  if (!isQuoted) findings.linkedUrls.add(href);
  const pathId = uploadPathOf(href);
  if (pathId !== null) findings.uploadPathIds.add(pathId);
}
