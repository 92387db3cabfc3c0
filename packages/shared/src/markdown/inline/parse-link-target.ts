import type { RenderBudget } from '../render-budget';

interface LinkTarget {
  url: string;
  title: string;
  /** After the closing parenthesis. */
  end: number;
}

const maxTargetLength = 8_000;

/** Reads `url "title")` from `start`. Parentheses in the URL are balanced; `<url>` may hold anything but angle brackets. */
export function parseLinkTarget(text: string, start: number, budget: RenderBudget): LinkTarget | null {
  return parseAngled(text, start) ?? parseTitled(text, start, budget) ?? parseBare(text, start, budget);
}

const angled = /\s{0,9}<([^<>]{0,8000})>\s{0,9}(?:"([^"]{0,1000})"|'([^']{0,1000})')?\s{0,9}\)/y;

function parseAngled(text: string, start: number): LinkTarget | null {
  angled.lastIndex = start;
  const match = angled.exec(text);
  return match && { url: match[1] ?? '', title: match[2] ?? match[3] ?? '', end: angled.lastIndex };
}

const titled = /([^\s"'()]{0,8000})\s{1,9}(?:"(.{0,1000}?)"|'(.{0,1000}?)')\s{0,9}\)/sy;

/** A title ends at the first quotation mark that a closing parenthesis follows. */
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
