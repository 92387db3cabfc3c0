import { element, type HtmlElement, type HtmlNode, literal } from '../html-node';
import type { RenderBudget, Steps } from '../render-budget';
import { type CodePiece, highlight } from './highlight';
import aliasesByLexer from './lexer-names.json';

/** `language` as the author wrote it, or empty. */
export function* renderCodeBlock(source: string, language: string, budget: RenderBudget): Steps<HtmlElement> {
  budget.payForElements(4);
  const code = source.replace(/^\n+|\n+$/g, '');
  const lexer = findLexer(language === '' ? languageOfFirstLine(code) : language);
  // Quotation marks are escaped only if no language is named, because clients compare the HTML.
  const textOf = language === '' ? literalWithQuotes : literal;
  const pieces = yield* highlight(code, lexer, budget);
  yield;
  const lines = pieces.flatMap((piece) => spansOf(piece, textOf));
  yield;
  const attributes = language === '' ? {} : { 'data-code-language': lexer ?? language };
  return element('div', { class: 'codehilite', ...attributes }, [
    element('pre', {}, [element('span'), element('code', {}, [...lines, literal('\n')])]),
  ]);
}

/** `#!/usr/bin/python` and `:::python` name the language of the rest. */
function languageOfFirstLine(code: string): string {
  return /^(?:#!|::+)(?:(?:\/\w+)*[/ ])?([\w#.+-]{0,50})/.exec(code)?.[1] ?? '';
}

/** Spans never extend over the end of a line. */
function spansOf({ className, text }: CodePiece, textOf: (text: string) => HtmlNode): HtmlNode[] {
  if (className === '') return [textOf(text)];
  return text
    .split('\n')
    .flatMap((line, at) => [
      ...(at === 0 ? [] : [literal('\n')]),
      ...(line === '' ? [] : [element('span', { class: className }, [textOf(line)])]),
    ]);
}

function literalWithQuotes(text: string): HtmlNode {
  const { html } = literal(text);
  return { html: html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'), isBlock: false, text };
}

/** The lexers of Pygments 2.18 by their names there, under which clients look up their settings for a language. */
const lexersByAlias = new Map(
  Object.entries(aliasesByLexer).flatMap(([lexer, aliases]) => aliases.split(' ').map((alias) => [alias, lexer])),
);

/** `Python` for `py`; undefined for a language not known. */
function findLexer(language: string): string | undefined {
  return lexersByAlias.get(language.toLowerCase());
}
