import type Prism from 'prismjs';
import type loadLanguages from 'prismjs/components/index.js';
import type { RenderBudget } from '../render-budget';

/** How the code of one language is classified. */
export interface LexerProfile {
  /** Prism's name of the language. */
  grammar: string;
  /** The class of other names, and of spaces. */
  name: string;
  space: string;
  /** One class for all strings, or all numbers; otherwise it depends on their notation. */
  string?: string;
  number?: string;
  /** Special parts of a string; each group's name is its class. */
  inString?: RegExp;
  /** Words with a separate class. */
  words: Map<string, string>;
  /** Classes of Prism's kinds where the language differs from the others. */
  types: Record<string, string>;
  /** Classes that depend on the preceding part of the line (without spaces). */
  inContext?: (token: Token, line: Token[]) => string | undefined;
}

export function profile(grammar: string, differences: Partial<LexerProfile> = {}): LexerProfile {
  return { grammar, name: 'n', space: 'w', words: new Map(), types: {}, ...differences };
}

/** Words by class: `{ kc: 'true false' }`. */
export function wordClasses(lists: Record<string, string>): Map<string, string> {
  return new Map(
    Object.entries(lists).flatMap(([className, words]) => words.split(' ').map((word) => [word, className] as const)),
  );
}

/** A word, a run of spaces, or a token of the grammar. */
export interface Token {
  /** The token's kind and those around it, innermost first; empty for plain text. */
  types: string[];
  text: string;
}

/** The grammars are third-party regular expressions, so they have a time limit: null when it is exceeded. */
export function tokenizeWithin(code: string, language: string, budget: RenderBudget): Token[] | null {
  const grammar = findGrammar(language);
  const stream = grammar && budget.runForeign(() => loadPrism().tokenize(code, grammar));
  return stream ? stream.flatMap((token) => flatten(token, [])) : null;
}

let loaded: typeof Prism | undefined;

/** Loads Prism, if no block of code has done so yet. */
export function loadPrism(): typeof Prism {
  loaded ??= require('prismjs') as typeof Prism;
  return loaded;
}

function findGrammar(language: string): Prism.Grammar | undefined {
  const { languages } = loadPrism();
  if (!languages[language]) (require('prismjs/components/index.js') as typeof loadLanguages)([language]);
  return languages[language];
}

function flatten(token: string | Prism.Token, outer: string[]): Token[] {
  if (typeof token === 'string') return splitText(token).map((text) => ({ types: outer, text }));
  const types = [token.type, ...[token.alias ?? []].flat(), ...outer];
  const { content } = token;
  if (typeof content === 'string') return [{ types, text: content }];
  return [content].flat().flatMap((inner) => flatten(inner, types));
}

/** Splits plain text into words, spaces and single other characters. */
function splitText(text: string): string[] {
  return text.match(/[\p{L}\p{N}_$@]+|\n|[^\S\n]+|[^\p{L}\p{N}_$@\s]/gu) ?? [];
}
