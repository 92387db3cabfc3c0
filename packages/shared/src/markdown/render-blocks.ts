import { renderCodeBlock } from './code/render-code-block';
import { type HtmlElement, type HtmlNode, isElement } from './html-node';
import { type Findings, type InlineRule, InlineScope } from './inline/inline-scope';
import { renderMathBlock } from './math/render-math';
import type { PreparedFacts } from './prepare-facts';
import type { RenderBudget, Steps } from './render-budget';

export interface RenderContext {
  facts: PreparedFacts;
  rules: readonly InlineRule[];
  findings: Findings;
  budget: RenderBudget;
}

/** Renders the source in parsed blocks (text, code and formulas): one step per block. */
export function* renderBlocks(blocks: HtmlNode[], context: RenderContext, isQuoted = false): Steps<HtmlNode[]> {
  const rendered: HtmlNode[] = [];
  for (const block of blocks) {
    if (typeof block === 'string') rendered.push(...renderText(block, context, isQuoted));
    else rendered.push(isElement(block) ? yield* renderElement(block, context, isQuoted) : block);
    yield;
  }
  return rendered;
}

function* renderElement(block: HtmlElement, context: RenderContext, isQuoted: boolean): Steps<HtmlNode> {
  if (block.tag === 'pre') {
    return yield* renderCodeBlock(sourceIn(block), block.attributes['language'] ?? '', context.budget);
  }
  if (block.tag === 'math') return renderMathBlock(sourceIn(block), context.budget);
  if (block.tag === 'spoiler') return yield* renderSpoiler(block, context, isQuoted);
  const children = yield* renderBlocks(block.children, context, isQuoted || block.tag === 'blockquote');
  return { ...block, children };
}

function renderText(text: string, { facts, rules, findings, budget }: RenderContext, isQuoted: boolean): HtmlNode[] {
  return new InlineScope(facts, findings, budget, isQuoted, rules).parse(text);
}

/** Serialized later (serialise.ts): until then previews can be inserted. */
function* renderSpoiler(spoiler: HtmlElement, context: RenderContext, isQuoted: boolean): Steps<HtmlElement> {
  context.budget.payForElements(4);
  const children: HtmlNode[] = [];
  for (const part of spoiler.children) {
    children.push(
      isElement(part) ? { ...part, children: yield* renderBlocks(part.children, context, isQuoted) } : part,
    );
  }
  return { ...spoiler, children };
}

function sourceIn(block: HtmlElement): string {
  return block.children.join('');
}
