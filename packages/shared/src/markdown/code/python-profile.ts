import { profile, wordClasses } from './lexer-profile';
import type { Token } from './tokenize';

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
