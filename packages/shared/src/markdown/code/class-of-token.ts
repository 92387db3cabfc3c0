import type { LexerProfile, Token } from './lexer-profile';

/** The short classes of Prism's kinds, unless a language has its own. */
const generalClasses: Record<string, string> = {
  annotation: 'nd',
  'attr-name': 'na',
  'attr-value': 's',
  boolean: 'kc',
  builtin: 'nb',
  cdata: 'cp',
  char: 'sc',
  constant: 'no',
  coord: 'gu',
  decorator: 'nd',
  deleted: 'gd',
  directive: 'cp',
  doctype: 'cp',
  entity: 'ni',
  inserted: 'gi',
  keyword: 'k',
  macro: 'cp',
  namespace: 'nn',
  operator: 'o',
  preprocessor: 'cp',
  prolog: 'cp',
  punctuation: 'p',
  regex: 'sr',
  selector: 'nt',
  symbol: 'ss',
  tag: 'nt',
  variable: 'nv',
};

/** Token kinds that a language's list of words can refine. */
const wordTypes = new Set(
  'interpolation boolean builtin class-name constant function keyword number operator punctuation parameter variable'.split(
    ' ',
  ),
);

/** The short class of a token, empty for plain text. `line` is the preceding part of its line, without spaces. */
export function classOfToken(token: Token, line: Token[], profile: LexerProfile): string {
  const [type] = token.types;
  if (type === undefined && token.text.trim() === '') return profile.space;
  const contextual = profile.inContext?.(token, line);
  if (contextual !== undefined) return contextual;
  const known = type === undefined || wordTypes.has(type) ? profile.words.get(token.text) : undefined;
  return known ?? classOfTypes(token, profile) ?? classOfText(token.text, profile);
}

/** The innermost type with a class determines the class. */
function classOfTypes(token: Token, profile: LexerProfile): string | undefined {
  for (const type of token.types) {
    const className = profile.types[type] ?? classOfLiteral(type, token.text, profile) ?? generalClasses[type];
    if (className !== undefined) return className;
  }
  return undefined;
}

function classOfLiteral(type: string, text: string, profile: LexerProfile): string | undefined {
  if (type === 'comment' && text.startsWith('#!')) return 'ch';
  if (type === 'comment') return /^(?:\/\*|<!--|\(\*|\{-)/.test(text) ? 'cm' : 'c1';
  if (type === 'number') return profile.number ?? classOfNumber(text);
  if (type !== 'string') return undefined;
  if (profile.string !== undefined) return profile.string;
  const quote = /^[a-z]{0,2}(["'`])|(["'`])$/i.exec(text);
  const mark = quote?.[1] ?? quote?.[2];
  return mark === "'" ? 's1' : mark === '`' ? 'sb' : 's2';
}

function classOfNumber(text: string): string {
  if (/^0x/i.test(text)) return 'mh';
  return /[.]|e[+-]?\d/i.test(text) ? 'mf' : 'mi';
}

function classOfText(text: string, profile: LexerProfile): string {
  if (text.trim() === '') return profile.space;
  if (/^[\p{L}_$@]/u.test(text)) return profile.name;
  return profile.name === '' ? '' : /^\p{N}/u.test(text) ? 'mi' : 'p';
}
