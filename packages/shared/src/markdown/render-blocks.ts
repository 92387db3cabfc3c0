import { renderCodeBlock } from './code/render-code-block';
import { type HtmlElement, type HtmlNode, isElement } from './html-node';
import type { InlineRule } from './inline/inline-scope';
import { type Findings, InlineScope } from './inline/inline-scope';
import { renderMathBlock } from './math/render-math';
import type { PreparedFacts } from './prepare-facts';
import type { RenderBudget } from './render-budget';

export interface RenderContext {
  facts: PreparedFacts;
  rules: readonly InlineRule[];
  findings: Findings;
  budget: RenderBudget;
}

/** Replaces the source in parsed blocks, which is text, code and formulas, by what it means. */
export function renderBlocks(blocks: HtmlNode[], context: RenderContext, isQuoted = false): HtmlNode[] {
  return blocks.flatMap((block) => {
    if (typeof block === 'string') return renderText(block, context, isQuoted);
    return isElement(block) ? [renderElement(block, context, isQuoted)] : [block];
  });
}

function renderElement(block: HtmlElement, context: RenderContext, isQuoted: boolean): HtmlNode {
  if (block.tag === 'pre') return renderCodeBlock(sourceIn(block), block.attributes['language'] ?? '', context.budget);
  if (block.tag === 'math') return renderMathBlock(sourceIn(block), context.budget);
  if (block.tag === 'spoiler') return renderSpoiler(block, context, isQuoted);
  const children = renderBlocks(block.children, context, isQuoted || block.tag === 'blockquote');
  return { ...block, children };
}

function renderText(text: string, { facts, rules, findings, budget }: RenderContext, isQuoted: boolean): HtmlNode[] {
  return new InlineScope(facts, findings, budget, isQuoted, rules).parse(text);
}

/** It becomes what it is when it is written (serialise.ts): until then previews can be put into it. */
function renderSpoiler(spoiler: HtmlElement, context: RenderContext, isQuoted: boolean): HtmlElement {
  context.budget.payForElements(4);
  const children = spoiler.children.map((part) =>
    isElement(part) ? { ...part, children: renderBlocks(part.children, context, isQuoted) } : part,
  );
  return { ...spoiler, children };
}

function sourceIn(block: HtmlElement): string {
  return block.children.join('');
}
