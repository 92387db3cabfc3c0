import aliasesByLexer from './lexer-names.json';

/** The lexers of Pygments 2.18 by their names there: clients look their settings for a language up under these. */
const lexersByAlias = new Map(
  Object.entries(aliasesByLexer).flatMap(([lexer, aliases]) => aliases.split(' ').map((alias) => [alias, lexer])),
);

/** `Python` for `py`; undefined for a language not known. */
export function findLexer(language: string): string | undefined {
  return lexersByAlias.get(language.toLowerCase());
}
