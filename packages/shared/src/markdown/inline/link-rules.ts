import type { MarkdownFacts } from '../facts';
import { element, type HtmlNode, isBlank, isElement } from '../html-node';
import { findBareUrl } from '../links/bare-url';
import { findLinkifierMatches } from '../links/linkify';
import { relativeToRealm, safeHref } from '../links/safe-href';
import { uploadPathOf } from '../previews/upload-path';
import type { RenderBudget } from '../render-budget';
import { type InlineRule, type InlineScope, mark } from './inline-scope';

/** `[text](url "title")`. Rules after this one do not see the text; of a link in it only the text is kept. */
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

/** Each `[` with its matching `]`, from left to right. */
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

/** Every URL matches this somewhere; most words do not and need no further check. */
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

/** One of the organization's linkifiers, such as `#123` for a ticket. */
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

interface LinkTarget {
  url: string;
  title: string;
  /** The position after the closing parenthesis. */
  end: number;
}

const maxTargetLength = 8_000;

/** Parses `url "title")` from `start`. Parentheses in the URL are balanced; `<url>` may contain anything but angle brackets. */
function parseLinkTarget(text: string, start: number, budget: RenderBudget): LinkTarget | null {
  return parseAngled(text, start) ?? parseTitled(text, start, budget) ?? parseBare(text, start, budget);
}

const angled = /\s{0,9}<([^<>]{0,8000})>\s{0,9}(?:"([^"]{0,1000})"|'([^']{0,1000})')?\s{0,9}\)/y;

function parseAngled(text: string, start: number): LinkTarget | null {
  angled.lastIndex = start;
  const match = angled.exec(text);
  return match && { url: match[1] ?? '', title: match[2] ?? match[3] ?? '', end: angled.lastIndex };
}

const titled = /([^\s"'()]{0,8000})\s{1,9}(?:"(.{0,1000}?)"|'(.{0,1000}?)')\s{0,9}\)/sy;

/** A title ends at the first quotation mark before a closing parenthesis. */
function parseTitled(text: string, start: number, budget: RenderBudget): LinkTarget | null {
  titled.lastIndex = start;
  const match = titled.exec(text);
  budget.spend(match ? 0 : 10);
  return match && { url: match[1] ?? '', title: match[2] ?? match[3] ?? '', end: titled.lastIndex };
}

function parseBare(text: string, start: number, budget: RenderBudget): LinkTarget | null {
  let depth = 1;
  const last = Math.min(text.length, start + maxTargetLength);
  for (let at = start; at < last; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')') depth--;
    if (depth > 0) continue;
    budget.spend(at - start);
    return { ...splitTitle(text.slice(start, at).trim()), end: at + 1 };
  }
  budget.spend(last - start);
  return null;
}

function splitTitle(target: string): { url: string; title: string } {
  const match = /^(\S*)\s{1,9}(?:"(.*)"|'(.*)')$/s.exec(target);
  return match ? { url: match[1] ?? '', title: match[2] ?? match[3] ?? '' } : { url: target, title: '' };
}

/** A link, or null if its address is not allowed in messages. Without text it shows its address. */
function linkNode(scope: InlineScope, url: string, text: HtmlNode[], title?: string): HtmlNode | null {
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
