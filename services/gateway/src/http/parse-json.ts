import { BadRequestError } from '@parley/shared/errors';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES, MAX_LIST_LENGTH, MAX_OBJECT_MEMBERS } from './bounds';

/**
 * The value of a JSON-encoded parameter, limited in depth, length of lists and number of values; its texts have no null bytes.
 */
export function parseJson(name: string, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadRequestError(`${name} is not valid JSON`);
  }
  checkBounds(name, value, 0, { count: 0 });
  return value;
}

const MAY_BE_JSON = /^\s*(["[{\d-]|(true|false|null)\s*$)/;

/** The same for parameters for which clients may also send plain text. */
export function parseJsonOrText(name: string, text: string): unknown {
  let value: unknown = text;
  // Checked first because most texts are names, and a thrown SyntaxError costs more than the rest of the request.
  if (MAY_BE_JSON.test(text)) {
    try {
      value = JSON.parse(text);
    } catch {}
  }
  checkBounds(name, value, 0, { count: 0 });
  return value;
}

function checkBounds(name: string, value: unknown, depth: number, seen: { count: number }): void {
  // PostgreSQL does not accept them, and no name or address has them.
  if (typeof value === 'string' && value.includes('\0')) {
    throw new BadRequestError(`${name} must not contain null bytes`);
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth === MAX_JSON_DEPTH) throw new BadRequestError(`${name} is nested too deeply (limit: ${MAX_JSON_DEPTH})`);
  const members = membersOf(name, value);
  seen.count += members.length;
  if (seen.count > MAX_JSON_VALUES) {
    throw new BadRequestError(`${name} has too many values (limit: ${MAX_JSON_VALUES})`);
  }
  for (const member of members) checkBounds(name, member, depth + 1, seen);
}

function membersOf(name: string, value: object): unknown[] {
  const members = Array.isArray(value) ? value : Object.values(value);
  const limit = Array.isArray(value) ? MAX_LIST_LENGTH : MAX_OBJECT_MEMBERS;
  if (members.length > limit) throw new BadRequestError(`${name} is too long (limit: ${limit} items)`);
  return members;
}
