import type { RawHtml } from '../html-node';
import type { RenderBudget } from '../render-budget';
import { escapeAttribute, escapeLiteral } from '../serialise';
import { findLexer } from './find-lexer';
import { highlight } from './highlight';

/** `language` as the author wrote it, or empty. */
export function renderCodeBlock(source: string, language: string, budget: RenderBudget): RawHtml {
  budget.payForElements(4);
  const code = source.replace(/^\n+|\n+$/g, '');
  const lexer = findLexer(language === '' ? languageOfFirstLine(code) : language);
  // Quotation marks are escaped only where no language was named: clients compare the HTML.
  const escapeCode = language === '' ? escapeWithQuotes : escapeLiteral;
  const attribute = language === '' ? '' : ` data-code-language="${escapeAttribute(lexer ?? language)}"`;
  const html =
    `<div class="codehilite"${attribute}><pre><span></span><code>` +
    `${highlight(code, lexer, budget)
      .map((piece) => spanOf(piece, escapeCode))
      .join('')}\n</code></pre></div>`;
  return { html, isBlock: true, text: source };
}

/** `#!/usr/bin/python` and `:::python` say what the rest is written in. */
function languageOfFirstLine(code: string): string {
  return /^(?:#!|::+)(?:(?:\/\w+)*[/ ])?([\w#.+-]{0,50})/.exec(code)?.[1] ?? '';
}

/** Spans never reach over the end of a line. */
function spanOf(
  { className, text }: { className: string; text: string },
  escapeCode: (text: string) => string,
): string {
  if (className === '') return escapeCode(text);
  const lines = text
    .split('\n')
    .map((line) => (line === '' ? '' : `<span class="${className}">${escapeCode(line)}</span>`));
  return lines.join('\n');
}

function escapeWithQuotes(text: string): string {
  return escapeLiteral(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}
