import { StdUriTemplate } from '@std-uritemplate/std-uritemplate';
import type { RE2JS } from 're2js';
import type { MarkdownFacts } from '../facts';
import type { RenderBudget } from '../render-budget';
import { loadPatternEngine } from './pattern-engine';

type Linkifier = MarkdownFacts['linkifiers'][number];

interface LinkifierMatch {
  start: number;
  end: number;
  url: string;
}

interface CompiledPattern {
  /** The linkifier's pattern between the characters allowed before a match and those not allowed after it. */
  regex: RE2JS;
  groupNames: string[];
}

const maxPatternLength = 500;
const maxProgramSize = 1_000;
const instructionsPerStep = 20;
const maxMatches = 1_000;
const maxUrlLength = 10_000;
const maxCached = 1_000;
const matchGroup = 'linkified__';

const compiled = new Map<string, CompiledPattern | null>();

/** The matches of a linkifier in a text, from left to right. An invalid or too large pattern matches nothing. */
export function findLinkifierMatches(linkifier: Linkifier, text: string, budget: RenderBudget): LinkifierMatch[] {
  const pattern = compileOnce(linkifier.pattern);
  const matches: LinkifierMatch[] = [];
  if (!pattern) return matches;
  budget.spend((text.length * pattern.regex.programSize()) / instructionsPerStep);
  const matcher = pattern.regex.matcher(text);
  let from = 0;
  while (matches.length < maxMatches && from <= text.length && matcher.find(from)) {
    const [start, end] = [matcher.start(matchGroup), matcher.end(matchGroup)];
    const values = pattern.groupNames.map((name) => [name, matcher.group(name)]);
    const url = end > start ? expandTemplate(linkifier.urlTemplate, Object.fromEntries(values)) : null;
    if (url !== null) matches.push({ start, end, url });
    // The character after a match may also be the one before the next match.
    from = Math.max(end, from + 1);
  }
  return matches;
}

function compileOnce(pattern: string): CompiledPattern | null {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (compiled.size >= maxCached) compiled.clear();
  const result = pattern.length > maxPatternLength ? null : compile(pattern);
  compiled.set(pattern, result);
  return result;
}

function compile(pattern: string): CompiledPattern | null {
  const engine = loadPatternEngine();
  try {
    const groupNames = Object.keys(engine.compile(pattern).namedGroups());
    const regex = engine.compile(`(?:^|\\s|['"(,:<])(?P<${matchGroup}>${pattern})(?:$|[^\\p{L}\\p{N}])`);
    return regex.programSize() > maxProgramSize ? null : { regex, groupNames };
  } catch {
    return null;
  }
}

function expandTemplate(template: string, values: Record<string, string | null>): string | null {
  try {
    const url = StdUriTemplate.expand(template, values);
    return url.length > maxUrlLength ? null : url;
  } catch {
    return null;
  }
}
