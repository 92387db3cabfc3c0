import type { Filter } from 'ldapts';
import { ldapts } from './ldapts';

/** Stands in a filter for what somebody types as their login name. */
export const LOGIN_NAME = '{login}';

const ESCAPED: Readonly<Record<string, string>> = { '*': '\\2a', '(': '\\28', ')': '\\29', '\\': '\\5c', '\0': '\\00' };

/** A value within a filter's text (RFC 4515). */
export function escapeValue(text: string): string {
  return text.replace(/[*()\\\0]/g, (character) => ESCAPED[character] as string);
}

/** Throws, in one line, for texts that are no filter. */
export function parseFilter(text: string): Filter {
  // The parser also accepts filters with missing parentheses.
  if (!text.startsWith('(') || !text.endsWith(')')) throw new Error('a filter begins with ( and ends with )');
  if (!isBalanced(text)) throw new Error('parentheses do not match');
  return ldapts().FilterParser.parseString(text);
}

/** Whether the first parenthesis is closed by the last one. In values they are escaped. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '(') depth += 1;
    if (text[index] === ')') depth -= 1;
    if (depth === 0) return index === text.length - 1;
  }
  return false;
}

/** The people among the entries with that login name. */
export function loginFilter(
  { userFilter, loginFilter: template }: { userFilter: string; loginFilter: string },
  loginName: string,
): Filter {
  const named = template.replaceAll(LOGIN_NAME, () => escapeValue(loginName));
  const { AndFilter } = ldapts();
  return new AndFilter({ filters: [parseFilter(userFilter), parseFilter(named)] });
}
