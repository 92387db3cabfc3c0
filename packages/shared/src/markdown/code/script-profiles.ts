import { type LexerProfile, profile, type Token, wordClasses } from './lexer-profile';

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

const builtins =
  'abs aiter all any anext ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr ' +
  'dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int ' +
  'isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range ' +
  'repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip __import__';
const exceptions =
  'ArithmeticError AssertionError AttributeError BaseException BlockingIOError BrokenPipeError BufferError ' +
  'ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError ' +
  'DeprecationWarning EOFError Exception FileExistsError FileNotFoundError FloatingPointError FutureWarning ' +
  'GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError ' +
  'KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError ' +
  'NotImplementedError OSError OverflowError PermissionError ProcessLookupError RecursionError ReferenceError ' +
  'RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit ' +
  'TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UserWarning ' +
  'ValueError Warning ZeroDivisionError';
const magic = '__init__ __call__ __enter__ __exit__ __eq__ __hash__ __iter__ __len__ __next__ __repr__ __str__ __new__';

export const pythonProfile = profile('python', {
  space: '',
  inString:
    /(?<sa>^[a-zA-Z]+(?=["']))|(?<se>\\(?:[\\abfnrtv"']|N\{[^}]{0,100}\}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|[0-7]{1,3}))|(?<si>%(?:\(\w+\))?[-#0 +]*(?:\d+|\*)?(?:\.(?:\d+|\*))?[hlL]?[E-GXc-giorsaux%]|\{\w*(?:\.\w+|\[[^\]]{1,50}\])*(?:![sra])?(?::[^{}"'\s]{0,20})?\})/g,
  types: { 'class-name': 'nc', 'conversion-option': 'si', function: 'nf' },
  words: wordClasses({
    bp: 'self cls',
    fm: magic,
    kc: 'None True False',
    nb: builtins,
    ne: exceptions,
    o: '.',
    ow: 'and or not in is',
  }),
  inContext,
});

function inContext({ text, types }: Token, line: Token[]): string | undefined {
  const statement = line[0]?.text;
  const isWord = /^\w/.test(text);
  if (text === 'import' || (text === 'from' && line.length === 0)) return 'kn';
  if (types.includes('interpolation') && /^[{}]$/.test(text)) return 'si';
  if (types.includes('triple-quoted-string') && line.length === 0) return 'sd';
  if (types.includes('decorator')) return 'nd';
  if (line.at(-1)?.text === '.' && isWord && statement !== 'import' && statement !== 'from') return 'n';
  if (statement === 'import' && text !== 'as') return text === ',' ? 'o' : 'nn';
  if (statement === 'from' && !line.some((token) => token.text === 'import')) return 'nn';
  return undefined;
}
