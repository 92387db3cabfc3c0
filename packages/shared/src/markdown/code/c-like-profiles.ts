import { type LexerProfile, profile, type Token, wordClasses } from './lexer-profile';

const escapes = /(?<se>\\(?:[\\abfnrtv"'?]|x[0-9a-fA-F]{2,4}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}))/g;

/** Names declared by `class` and similar keywords. */
function inClasses(token: Token, line: Token[]): string | undefined {
  const isDeclared = /^(?:class|interface|enum|record|struct)$/.test(line.at(-1)?.text ?? '');
  return isDeclared ? 'nc' : definition(token, line);
}

/** A name before a parenthesis is a definition if a type precedes it. */
function definition({ types }: Token, line: Token[]): string | undefined {
  if (types[0] !== 'function') return undefined;
  const previous = line.at(-1);
  const isAfterType =
    /^[\w>\]*&]+$/.test(previous?.text ?? '') && !/^(?:return|new|throw|else)$/.test(previous?.text ?? '');
  return line.length > 0 && isAfterType ? 'nf' : 'n';
}

function inC(token: Token, line: Token[]): string | undefined {
  if (!token.types.includes('macro')) return definition(token, line);
  const isInclude = line[1]?.text === 'include';
  if (isInclude && token.text.trim() === '') return 'w';
  return isInclude && token.types.includes('string') ? 'cpf' : 'cp';
}

function inJava(token: Token, line: Token[]): string | undefined {
  const statement = line[0]?.text;
  if (statement === 'package' || statement === 'import')
    return token.text === ';' ? 'p' : token.text === 'static' ? 'kn' : 'nn';
  const previous = line.at(-1)?.text ?? '';
  if (previous === '.' && /^\w/.test(token.text)) return 'na';
  return inClasses(token, line);
}

const c = profile('c', {
  inString: escapes,
  string: 's',
  types: { 'class-name': 'n' },
  words: wordClasses({
    kt:
      'bool char double float int long short signed unsigned void size_t ssize_t int8_t int16_t int32_t int64_t ' +
      'uint8_t uint16_t uint32_t uint64_t wchar_t FILE',
    nb: 'NULL true false',
    o: ':',
  }),
  inContext: inC,
});

export const cLikeProfiles: Record<string, LexerProfile> = {
  C: c,
  'C++': {
    ...c,
    grammar: 'cpp',
    types: { 'class-name': 'nc', 'double-colon': 'o' },
    words: wordClasses({
      kt:
        'bool char double float int long short signed unsigned void size_t wchar_t char16_t char32_t int8_t int16_t ' +
        'int32_t int64_t uint8_t uint16_t uint32_t uint64_t',
      nb: 'NULL true false',
      o: ':',
    }),
  },
  Java: profile('java', {
    string: 's',
    types: { 'class-name': 'n' },
    words: wordClasses({
      kc: 'true false null',
      kd:
        'abstract class const enum exports extends final implements interface native private protected provides ' +
        'public record sealed static strictfp super synchronized throws transient uses volatile with',
      kn: 'package import',
      kt: 'boolean byte char double float int long short void',
    }),
    inContext: inJava,
  }),
  'C#': profile('csharp', {
    number: 'm',
    string: 's',
    types: { 'class-name': 'n' },
    inContext: inClasses,
    words: wordClasses({
      kc: 'true false null',
      kt: 'bool byte char decimal double dynamic float int long object sbyte short string uint ulong ushort var',
    }),
  }),
  Go: profile('go', {
    name: 'nx',
    string: 's',
    types: { builtin: 'nb', function: 'nx' },
    words: wordClasses({
      kc: 'true false nil iota',
      kd: 'var func struct map chan type interface const',
      kn: 'import package',
      kt:
        'uint uint8 uint16 uint32 uint64 int int8 int16 int32 int64 float float32 float64 complex64 complex128 byte ' +
        'rune string bool error uintptr any comparable',
    }),
  }),
  Rust: profile('rust', {
    string: 's',
    types: { 'class-name': 'n', 'function-definition': 'nf', function: 'n', macro: 'fm', 'type-definition': 'nc' },
    words: wordClasses({
      bp: 'self',
      kc: 'true false',
      kd: 'let',
      kt: 'i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 isize usize str bool char',
      nb:
        'Some None Ok Err Option Result String Vec Box ToString Default Clone Copy Send Sync Drop Fn FnMut FnOnce ' +
        'Iterator IntoIterator From Into drop',
    }),
  }),
};
