import type { Token } from './tokenize';

/** How the code of one language is classed. */
export interface LexerProfile {
  /** Prism's name of the language. */
  grammar: string;
  /** The class of names that are nothing special, and of spaces. */
  name: string;
  space: string;
  /** One class for all strings, or all numbers; otherwise it follows from how they are written. */
  string?: string;
  number?: string;
  /** What stands out inside a string; each group's name is its class. */
  inString?: RegExp;
  /** Words with a class of their own. */
  words: Map<string, string>;
  /** Classes of Prism's kinds where the language differs from the others. */
  types: Record<string, string>;
  /** Classes that depend on what stands before in the line (spaces left out). */
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
