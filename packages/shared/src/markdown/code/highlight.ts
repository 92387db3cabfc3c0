import type { RenderBudget, Steps } from '../render-budget';
import { classOfToken } from './class-of-token';
import { type LexerProfile, type Token, tokenizeWithin } from './lexer-profile';
import { findProfile } from './lexer-profiles';

/** Code with one class; without a class it is plain. */
export interface CodePiece {
  className: string;
  text: string;
}

const maxCodeLength = 10_000;

/** Splits code into classes. Long code, and code of a language without a grammar here, stays one plain piece. */
export function* highlight(code: string, lexer: string | undefined, budget: RenderBudget): Steps<CodePiece[]> {
  const profile = lexer === undefined ? undefined : findProfile(lexer);
  const tokens = profile && code.length <= maxCodeLength ? tokenizeWithin(code, profile.grammar, budget) : null;
  if (!profile || !tokens) return [{ className: '', text: code }];
  budget.payForElements(tokens.length);
  yield;
  return joinPieces(classifyTokens(tokens, profile));
}

function classifyTokens(tokens: Token[], profile: LexerProfile): CodePiece[] {
  let line: Token[] = [];
  return tokens.flatMap((token) => {
    const className = classOfToken(token, line, profile);
    if (token.text.includes('\n')) line = [];
    else if (token.text.trim() !== '') line.push(token);
    const isString = /^s[12]?$/.test(className) && profile.inString !== undefined;
    return isString ? splitString(token.text, className, profile) : [{ className, text: token.text }];
  });
}

/** Escapes and placeholders inside a string have separate classes. */
function splitString(text: string, className: string, { inString }: LexerProfile): CodePiece[] {
  const pieces: CodePiece[] = [];
  let done = 0;
  for (const { 0: match, index, groups = {} } of text.matchAll(inString ?? /$^/g)) {
    const inner = Object.keys(groups).find((name) => groups[name] !== undefined) ?? className;
    pieces.push({ className, text: text.slice(done, index) }, { className: inner, text: match });
    done = index + match.length;
  }
  return [...pieces, { className, text: text.slice(done) }];
}

/** Merges adjacent pieces of one class. */
function joinPieces(pieces: CodePiece[]): CodePiece[] {
  const joined: CodePiece[] = [];
  for (const { className, text } of pieces) {
    const last = joined.at(-1);
    if (last?.className === className) last.text += text;
    else if (text !== '') joined.push({ className, text });
  }
  return joined;
}
