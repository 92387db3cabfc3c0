import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  boolean: 'a boolean',
  // All numeric parameters of the API are integers.
  number: 'an integer',
  int: 'an integer',
  array: 'a list',
  tuple: 'a list',
  object: 'a dict',
  record: 'a dict',
};

/** The API's message for an invalid parameter: `to[1] is not an integer`. */
export function describeIssue(name: string, issue: Issue): string {
  const place = name + issue.path.map(describeStep).join('');
  if (isAbsentMember(issue)) return `${place} field is missing: Field required`;
  switch (issue.code) {
    case 'invalid_type':
      return `${place} is not ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `Invalid ${place}`;
    case 'too_big':
      return `${place} is ${issue.exact ? `not length ${issue.maximum}` : describeExcess(issue)}`;
    case 'too_small':
      return `${place} ${issue.exact ? `is not length ${issue.minimum}` : describeShortage(issue)}`;
    case 'invalid_format':
      return `${place} has invalid format`;
    case 'unrecognized_keys':
      return `Argument "${issue.keys[0]}" at ${place}${describeStep(issue.keys[0] as string)} is unexpected`;
    case 'invalid_union':
      return describeIssue(place, closestIssue(issue.errors));
    default:
      return `Invalid ${place}: ${issue.message}`;
  }
}

function describeStep(step: PropertyKey): string {
  return typeof step === 'number' ? `[${step}]` : `["${String(step)}"]`;
}

function isAbsentMember({ code, input, path }: Issue): boolean {
  const isOfWrongKind = code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union';
  return isOfWrongKind && input === undefined && path.length > 0;
}

function describeExcess(issue: Issue & { code: 'too_big' }): string {
  if (issue.origin === 'string') return `too long (limit: ${issue.maximum} characters)`;
  if (issue.origin === 'array') return `too long (limit: ${issue.maximum} items)`;
  return 'too large';
}

function describeShortage(issue: Issue & { code: 'too_small' }): string {
  return issue.origin === 'string' || issue.origin === 'array' ? 'cannot be blank' : 'is too small';
}

/** Among a union's alternatives, the one with the deepest first error. */
function closestIssue(branches: Issue[][]): Issue {
  const firsts = branches.map((issues) => issues[0] as Issue);
  return firsts.reduce((best, issue) => (issue.path.length > best.path.length ? issue : best));
}
