import { loadPatternEngine } from '@parley/shared/markdown';
import type { Linkifier } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, findForbiddenCharacter, isSafeUrlTemplate } from '@parley/shared/values';
import { FieldErrors } from '../base/field-errors';
import { templateVariables } from '../base/template-variables';

/** UTF-16 units, which bound the engine's work. */
const MAX_PATTERN_LENGTH = 500;
const MAX_TEMPLATE_LENGTH = 1_000;
/** Instructions of a compiled pattern, all of which run for every character of every message. */
const MAX_PROGRAM_SIZE = 900;

type Input = Pick<Linkifier, 'pattern' | 'urlTemplate'>;

/** Refuses an invalid linkifier, or one with another's pattern; reports all errors. */
export function checkLinkifier({ pattern, urlTemplate }: Input, others: readonly Pick<Linkifier, 'pattern'>[]): void {
  const errors = new FieldErrors();
  if (pattern === '') errors.add('pattern', REFUSAL.lists.blank);
  if (pattern.length > MAX_PATTERN_LENGTH) errors.add('pattern', tooLong('pattern', MAX_PATTERN_LENGTH));
  const variables = checkTemplate(urlTemplate, errors);
  // Length first: the other checks are costly.
  if (pattern.length <= MAX_PATTERN_LENGTH) checkPattern(pattern, variables, errors);
  if (others.some((other) => other.pattern === pattern)) {
    errors.addToAll(REFUSAL.lists.linkifierTaken);
  }
  errors.refuse();
}

function checkTemplate(urlTemplate: string, errors: FieldErrors): Set<string> | null {
  const isTooLong = codePointLength(urlTemplate) > MAX_TEMPLATE_LENGTH;
  if (urlTemplate === '') errors.add('url_template', REFUSAL.lists.blank);
  if (isTooLong) errors.add('url_template', tooLong('url_template', MAX_TEMPLATE_LENGTH));
  const variables = isTooLong ? null : templateVariables(urlTemplate);
  if (!isTooLong && (variables === null || !isSafeUrlTemplate(urlTemplate)))
    errors.add('url_template', REFUSAL.lists.addressTemplate);
  return variables;
}

function checkPattern(pattern: string, variables: ReadonlySet<string> | null, errors: FieldErrors): void {
  const compiled = compile(pattern);
  if ('problem' in compiled) {
    errors.addToAll(REFUSAL.lists.pattern(compiled.problem));
    return;
  }
  if (variables === null) return;
  const [missingInPattern] = [...variables].filter((name) => !compiled.groups.has(name)).sort();
  const [missingInTemplate] = [...compiled.groups].filter((name) => !variables.has(name)).sort();
  if (missingInPattern !== undefined) {
    errors.addToAll(REFUSAL.lists.missingInPattern(missingInPattern));
  } else if (missingInTemplate !== undefined) {
    errors.addToAll(REFUSAL.lists.missingInTemplate(missingInTemplate));
  }
}

function compile(pattern: string): { groups: Set<string> } | { problem: string } {
  const position = findForbiddenCharacter(pattern);
  if (position !== null) return { problem: `invalid character at position ${position}` };
  const engine = loadPatternEngine();
  try {
    const regex = engine.compile(pattern);
    if (regex.programSize() > MAX_PROGRAM_SIZE) return { problem: 'pattern too large' };
    return { groups: new Set(Object.keys(regex.namedGroups())) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

function tooLong(name: string, limit: number): string {
  return REFUSAL.requests.tooLong(name, String(limit));
}
