import { type LexerProfile, profile, wordClasses } from './lexer-profile';
import type { Token } from './tokenize';

const javascriptWords = {
  k:
    'async await break case catch continue debugger default delete do else export extends finally for if import ' +
    'return super switch this throw try while yield as of',
  kc: 'true false null undefined NaN Infinity',
  kd: 'var let const function class with',
  kr:
    'abstract boolean byte char constructor double enum final float from get goto implements int interface long ' +
    'native package private protected public set short static synchronized transient volatile',
  nb:
    'Array Boolean Date BigInt Function Math ArrayBuffer Number Object Promise Proxy RegExp Set Map WeakMap WeakSet ' +
    'String Symbol decodeURI encodeURI decodeURIComponent encodeURIComponent eval isFinite isNaN parseFloat parseInt ' +
    'document window globalThis',
  ne: 'Error EvalError InternalError RangeError ReferenceError SyntaxError TypeError URIError',
  o: '= + - * / % ! ~ & | ^ ? :',
  ow: 'typeof instanceof in void new',
  p: '=> ... .',
};

function inJavaScript({ types, text }: Token, line: Token[]): string | undefined {
  if (types.includes('interpolation-punctuation')) return 'si';
  if (types.includes('template-string') && !types.includes('interpolation')) return 'sb';
  return line.at(-1)?.text === '.' && /^[\w$]/.test(text) ? 'nx' : undefined;
}

const javascript = profile('javascript', {
  name: 'nx',
  types: { 'class-name': 'nx', constant: 'nx', function: 'nx', regex: 'sr' },
  words: wordClasses(javascriptWords),
  inContext: (token, line) =>
    inJavaScript(token, line) ?? (token.types.includes('number') && /^[\d.e]+$/.test(token.text) ? 'mf' : undefined),
});

const typescript: LexerProfile = {
  ...javascript,
  grammar: 'typescript',
  words: new Map([
    ...wordClasses({ ...javascriptWords, kd: `${javascriptWords.kd} interface`, ow: `${javascriptWords.ow}` }),
    ...wordClasses({ kr: 'as type readonly declare namespace module keyof', kt: 'number string boolean symbol' }),
  ]),
};

/** Code in a message is PHP from its first line on, without an opening tag. */
const php = profile('php', {
  space: '',
  name: 'nx',
  types: {
    'class-name': 'nx',
    'class-name-definition': 'nc',
    constant: 'no',
    'double-quoted-string': 's2',
    'function-definition': 'nf',
    function: 'nx',
    'single-quoted-string': 's1',
    variable: 'nv',
  },
  words: wordClasses({ k: 'true false null TRUE FALSE NULL array', nb: 'strlen count print_r var_dump isset' }),
  inContext: ({ types, text }, line) => {
    if (types.includes('interpolation')) return 'si';
    return /^(?:\?->|->|::)$/.test(line.at(-1)?.text ?? '') && /^\w/.test(text) ? 'na' : undefined;
  },
});

const ruby = profile('ruby', {
  types: { 'class-name': 'nc', delimiter: 'si', function: 'nf', variable: 'vi' },
  words: wordClasses({
    kp: 'true false nil',
    nb: 'puts print p require require_relative raise attr_accessor lambda proc',
  }),
  inContext: ({ text, types }, line) => {
    if (text === '.') return 'o';
    if (line.at(-1)?.text === '.' && /^\w/.test(text)) return 'n';
    return types.length === 0 && /^[A-Z]/.test(text) ? 'no' : undefined;
  },
});

export const scriptProfiles: Record<string, LexerProfile> = {
  JavaScript: javascript,
  JSX: { ...javascript, grammar: 'jsx' },
  TypeScript: typescript,
  TSX: { ...typescript, grammar: 'tsx' },
  PHP: php,
  Ruby: ruby,
};
