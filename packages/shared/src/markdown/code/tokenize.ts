import Prism from 'prismjs';
import loadLanguages from 'prismjs/components/index.js';
import type { RenderBudget } from '../render-budget';

/** A word, a run of spaces, or what a grammar takes for one thing. */
export interface Token {
  /** What it is, and what it stands in, innermost first; empty for plain text. */
  types: string[];
  text: string;
}

/** The grammars are regular expressions of others' making, so they run against the clock: null when it runs out. */
export function tokenizeWithin(code: string, language: string, budget: RenderBudget): Token[] | null {
  const grammar = findGrammar(language);
  const stream = grammar && budget.runForeign(() => Prism.tokenize(code, grammar));
  return stream ? stream.flatMap((token) => flatten(token, [])) : null;
}

function findGrammar(language: string): Prism.Grammar | undefined {
  if (!Prism.languages[language]) loadLanguages([language]);
  return Prism.languages[language];
}

function flatten(token: string | Prism.Token, outer: string[]): Token[] {
  if (typeof token === 'string') return splitText(token).map((text) => ({ types: outer, text }));
  const types = [token.type, ...[token.alias ?? []].flat(), ...outer];
  const { content } = token;
  if (typeof content === 'string') return [{ types, text: content }];
  return [content].flat().flatMap((inner) => flatten(inner, types));
}

/** Plain text into words, spaces and single other characters. */
function splitText(text: string): string[] {
  return text.match(/[\p{L}\p{N}_$@]+|\n|[^\S\n]+|[^\p{L}\p{N}_$@\s]/gu) ?? [];
}
