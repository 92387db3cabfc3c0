import { cLikeProfiles } from './c-like-profiles';
import { type LexerProfile, profile, wordClasses } from './lexer-profile';
import { pythonProfile, scriptProfiles } from './script-profiles';

const shell = profile('bash', {
  name: '',
  number: 'm',
  types: { 'class-name': 'nb', file: '', function: '', parameter: '', shebang: 'ch' },
  words: wordClasses({ o: '[ ] [[ ]] && || & = ==', p: '| ; ;;' }),
  inContext: ({ types, text }) => {
    if (types.includes('for-or-select')) return '';
    if (types[0] === 'operator' && /^[<>]/.test(text)) return '';
    return types[0] === 'variable' && /^(?:\$\(+|\)+|`)$/.test(text) ? 'k' : undefined;
  },
});

const sql = profile('sql', {
  types: { function: 'n' },
  words: wordClasses({
    k: 'AND OR NOT IN LIKE BETWEEN IS COUNT MIN MAX and or not in like between is count min max',
  }),
});

const json = profile('json', { types: { null: 'kc', operator: 'p', property: 'nt' } });

const markup = profile('markup', {
  name: '',
  space: '',
  types: { 'attr-equals': 'o', comment: 'cm' },
  inContext: ({ types, text }) => {
    if (types.includes('doctype')) return 'cp';
    if (types.includes('attr-value')) return types.includes('attr-equals') ? 'o' : 's';
    return text.trim() === '' ? '' : undefined;
  },
});

/** Unlike in HTML, tags include their brackets, and attributes their equals signs. */
const xml = profile('markup', {
  name: '',
  space: 'w',
  types: { comment: 'cm' },
  inContext: ({ types, text }) => {
    if (types.includes('doctype')) return 'cp';
    if (types.includes('attr-value')) return types.includes('attr-equals') ? 'na' : 's';
    if (types.includes('attr-name')) return 'na';
    if (text.trim() === '') return 'w';
    return types.includes('tag') ? 'nt' : undefined;
  },
});

const css = profile('css', { types: { comment: 'c', function: 'nb', property: 'k', rule: 'k', url: 'sx' } });

const diff = profile('diff', {
  name: '',
  space: '',
  inContext: ({ types, text }) => {
    if (types.includes('unchanged')) return types.includes('prefix') ? 'w' : '';
    if (!types.includes('coord')) return undefined;
    return text.startsWith('-') ? 'gd' : text.startsWith('+') ? 'gi' : 'gu';
  },
});

const yaml = profile('yaml', {
  name: 'l',
  number: 'l',
  string: 's',
  types: { boolean: 'l', key: 'nt', null: 'l' },
});

/** Languages for which the general classes suffice. */
const plain = {
  Clojure: 'clojure',
  CMake: 'cmake',
  Dart: 'dart',
  Docker: 'docker',
  Elixir: 'elixir',
  Elm: 'elm',
  Erlang: 'erlang',
  Fortran: 'fortran',
  GraphQL: 'graphql',
  Groovy: 'groovy',
  Haskell: 'haskell',
  INI: 'ini',
  Julia: 'julia',
  Kotlin: 'kotlin',
  LessCss: 'less',
  Lua: 'lua',
  Makefile: 'makefile',
  Markdown: 'markdown',
  Matlab: 'matlab',
  'Nginx configuration file': 'nginx',
  OCaml: 'ocaml',
  'Objective-C': 'objectivec',
  Perl: 'perl',
  PowerShell: 'powershell',
  'Protocol Buffer': 'protobuf',
  S: 'r',
  SCSS: 'scss',
  Scala: 'scala',
  Scheme: 'scheme',
  Swift: 'swift',
  TOML: 'toml',
  TeX: 'latex',
  Terraform: 'hcl',
  VimL: 'vim',
  Zig: 'zig',
};

/** By the name of the lexer. */
const profiles = new Map<string, LexerProfile>([
  ...Object.entries(plain).map(([lexer, grammar]) => [lexer, profile(grammar)] as const),
  ...Object.entries(cLikeProfiles),
  ...Object.entries(scriptProfiles),
  ['Bash', shell],
  ['CSS', css],
  ['Diff', diff],
  ['HTML', markup],
  ['JSON', json],
  ['PostgreSQL SQL dialect', sql],
  ['MySQL', sql],
  ['Python', pythonProfile],
  ['SQL', sql],
  ['XML', xml],
  ['YAML', yaml],
]);

/** Undefined for a lexer whose code stays plain. */
export function findProfile(lexer: string): LexerProfile | undefined {
  return profiles.get(lexer);
}
