import { BadRequestError } from '@parley/shared/errors';
import { MAX_JSON_DEPTH, MAX_LIST_LENGTH } from './bounds';

/** The value of a JSON-encoded parameter, bounded in depth and in the length of each list, its texts without null bytes. */
export function parseJson(name: string, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadRequestError(`${name} is not valid JSON`);
  }
  checkBounds(name, value, 0);
  return value;
}

const MAY_BE_JSON = /^\s*(["[{\d-]|(true|false|null)\s*$)/;

/** The same where clients may also write bare text, which means itself. */
export function parseJsonOrText(name: string, text: string): unknown {
  let value: unknown = text;
  // Asked first because most texts are names, and a thrown SyntaxError costs more than the rest of the request.
  if (MAY_BE_JSON.test(text)) {
    try {
      value = JSON.parse(text);
    } catch {}
  }
  checkBounds(name, value, 0);
  return value;
}

function checkBounds(name: string, value: unknown, depth: number): void {
  // No database takes them, and no name or address has them.
  if (typeof value === 'string' && value.includes('\0')) {
    throw new BadRequestError(`${name} must not contain null bytes`);
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth === MAX_JSON_DEPTH) throw new BadRequestError(`${name} is nested too deeply (limit: ${MAX_JSON_DEPTH})`);
  const members = Array.isArray(value) ? value : Object.values(value);
  if (members.length > MAX_LIST_LENGTH) {
    throw new BadRequestError(`${name} is too long (limit: ${MAX_LIST_LENGTH} items)`);
  }
  for (const member of members) checkBounds(name, member, depth + 1);
}
