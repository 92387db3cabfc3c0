import katex, { ParseError } from 'katex';
import { element, type HtmlNode, type RawHtml } from '../html-node';
import type { RenderBudget } from '../render-budget';
import { escapeLiteral, literal } from '../serialise';

const stepsPerCharacter = 100;

export function renderInlineMath(tex: string, budget: RenderBudget): HtmlNode {
  const html = renderTex(tex, false, budget);
  if (html === null) return element('span', { class: 'tex-error' }, [literal(`$$${tex}$$`)]);
  return { html, isBlock: false, text: tex };
}

/** Each part between blank lines is a formula of its own, all of them in one paragraph. */
export function renderMathBlock(source: string, budget: RenderBudget): RawHtml {
  const formulas = source
    .split('\n\n')
    .map((tex) => renderTex(tex, true, budget) ?? `<span class="tex-error">${escapeLiteral(tex)}</span>`);
  return { html: `<p>${formulas.join('\n\n')}</p>`, isBlock: true, text: source };
}

/** Null where KaTeX finds an error. */
function renderTex(tex: string, displayMode: boolean, budget: RenderBudget): string | null {
  budget.spend(tex.length * stepsPerCharacter);
  // Its warnings are for an author at a console; what it writes is the same without them.
  const typeset = budget.runForeign(() => attempt(() => katex.renderToString(tex, { displayMode, strict: 'ignore' })));
  return typeset === null ? budget.refuse() : typeset.html;
}

function attempt(typeset: () => string): { html: string | null } {
  try {
    return { html: typeset() };
  } catch (error) {
    // NOTE: nesting beyond the stack is an error of the formula too.
    if (error instanceof ParseError || error instanceof RangeError) return { html: null };
    throw error;
  }
}
