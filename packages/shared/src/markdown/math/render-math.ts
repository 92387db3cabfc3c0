import type katex from 'katex';
import type { KatexOptions } from 'katex';
import { element, escapeLiteral, type HtmlNode, literal, type RawHtml } from '../html-node';
import type { RenderBudget } from '../render-budget';

const stepsPerCharacter = 250;
const stepsPerFormula = 8_000;
/** Limits KaTeX's output, which the sanitizer parses again. */
const stepsPerHtmlCharacter = 5;

/** Maximum expansion of a formula with its own macros; KaTeX's own macros are small. */
const maxUnfoldedLength = 20_000;
/** Too short to be slow, unless it has its own macros. */
const briefLength = 30;
const definition = /\\(?:[egx]?def|g?let|futurelet|(?:re)?newcommand|providecommand)(?![a-zA-Z])/;

type Typesetter = typeof katex;

let loaded: Typesetter | undefined;

/** Loads KaTeX, if no formula has done so yet. Its minified text takes 1 MB less memory than the one that is loaded by default. */
export function loadTypesetter(): Typesetter {
  loaded ??= require('katex/dist/katex.min.js') as Typesetter;
  return loaded;
}

export function renderInlineMath(tex: string, budget: RenderBudget): HtmlNode {
  const html = renderTex(tex, false, budget);
  if (html === null) return element('span', { class: 'tex-error' }, [literal(`$$${tex}$$`)]);
  return { html, isBlock: false, text: tex };
}

/** Each part between blank lines is a separate formula, all in one paragraph. */
export function renderMathBlock(source: string, budget: RenderBudget): RawHtml {
  const formulas = source
    .split('\n\n')
    .map((tex) => renderTex(tex, true, budget) ?? `<span class="tex-error">${escapeLiteral(tex)}</span>`);
  return { html: `<p>${formulas.join('\n\n')}</p>`, isBlock: true, text: source };
}

/** Null if KaTeX reports an error or takes too long; the text around the formula is rendered nevertheless. */
function renderTex(tex: string, displayMode: boolean, budget: RenderBudget): string | null {
  budget.spend(stepsPerFormula + tex.length * stepsPerCharacter);
  const typesetter = loadTypesetter();
  // Its warnings are for authors at a console; they do not change the output.
  const typeset = budget.runForeign(
    () => attempt(typesetter, tex, optionsFor(tex, displayMode)),
    tex.length <= briefLength && !definition.test(tex),
  );
  if (typeset === null) return null;
  budget.spend((typeset.html?.length ?? 0) * stepsPerHtmlCharacter);
  return typeset.html;
}

function optionsFor(tex: string, displayMode: boolean): KatexOptions {
  const maxExpand = definition.test(tex) ? Math.ceil(maxUnfoldedLength / tex.length) : undefined;
  return { displayMode, strict: 'ignore', ...(maxExpand !== undefined && { maxExpand }) };
}

function attempt(typesetter: Typesetter, tex: string, options: KatexOptions): { html: string | null } {
  const { warn } = console;
  // NOTE: KaTeX warns here of each character without metrics, and has no option to disable it.
  console.warn = () => {};
  try {
    return { html: typesetter.renderToString(tex, options) };
  } catch (error) {
    // NOTE: a stack overflow by nesting is an error of the formula, too.
    if (error instanceof typesetter.ParseError || error instanceof RangeError) return { html: null };
    throw error;
  } finally {
    console.warn = warn;
  }
}
