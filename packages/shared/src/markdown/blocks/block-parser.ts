import { type HtmlElement, type HtmlNode, isBlank, isElement } from '../html-node';
import type { RenderBudget } from '../render-budget';

/** Lines without a blank line between them. Rules look at the first remaining block and take it, or part of it. */
export interface Block {
  text: string;
  blankLinesBefore: number;
  /** The result so far. */
  node?: HtmlNode;
  /** Known from an earlier search, so that no text is searched twice. */
  hasNoHeading?: boolean;
  hasNoThematicBreak?: boolean;
}

/** The innermost container, which determines whether text becomes a paragraph. */
type BlockState = 'list' | 'looseList' | 'quote' | 'detabbed';

export interface BlockRule {
  name: string;
  /** Takes the first block off the queue (and may put blocks back), or returns false and leaves the queue unchanged. */
  run(parser: BlockParser, parent: HtmlElement, queue: BlockQueue): boolean;
}

/** The blocks left to parse, first one first. */
class BlockQueue {
  /** In reverse order, so that taking and putting back are cheap. */
  private readonly reversed: Block[];

  constructor(blocks: Block[]) {
    this.reversed = blocks.toReversed();
  }

  get first(): Block | undefined {
    return this.reversed.at(-1);
  }

  take(): Block {
    const block = this.reversed.pop();
    if (!block) throw new Error('took from an empty queue');
    return block;
  }

  putBack(blocks: Block[]): void {
    for (const block of blocks.toReversed()) this.reversed.push(block);
  }
}

/** Nested deeper than this, markers are text. */
const maxDepth = 40;

/** Tries the rules in order on each block, and builds the tree below `parent`. */
export class BlockParser {
  private readonly states: BlockState[] = [];
  private depth = 0;

  constructor(
    private readonly rules: BlockRule[],
    readonly budget: RenderBudget,
  ) {}

  isState(state: BlockState): boolean {
    return this.states.at(-1) === state;
  }

  get isTooDeep(): boolean {
    return this.depth >= maxDepth;
  }

  /** Parses `text`, which may have several blocks. */
  parseText(parent: HtmlElement, text: string, state?: BlockState): void {
    this.parseBlocks(parent, splitIntoBlocks(text), state);
  }

  parseBlocks(parent: HtmlElement, blocks: Block[], state?: BlockState): void {
    const queue = new BlockQueue(blocks.filter(({ text }) => text !== ''));
    if (state) this.states.push(state);
    this.depth++;
    while (queue.first) this.parseFirst(parent, queue);
    this.depth--;
    if (state) this.states.pop();
  }

  private parseFirst(parent: HtmlElement, queue: BlockQueue): void {
    this.budget.payForElements(1);
    if (queue.first?.node !== undefined) {
      parent.children.push(queue.first.node);
      queue.take();
      return;
    }
    for (const rule of this.rules) {
      if (rule.run(this, parent, queue)) return;
    }
    throw new Error('no rule took a block');
  }
}

export function blockOf(text: string): Block {
  return { text: text.replace(/^\n+/, ''), blankLinesBefore: 0 };
}

export function lastElement(parent: HtmlElement): HtmlNode | undefined {
  return parent.children.findLast((child) => typeof child !== 'string');
}

export function hasTag(node: HtmlNode | undefined, tags: readonly string[]): node is HtmlElement {
  return isElement(node) && tags.includes(node.tag);
}

/**
 * Takes lines that form a block by themselves out of the first block. Returns false if there are none; blocks that
 * are put back are marked, so that they are not searched again.
 */
export function takeLines(queue: BlockQueue, build: (line: string) => HtmlNode | null, mark: Partial<Block>): boolean {
  const block = queue.take();
  const pieces: Block[] = [];
  let between: string[] = [];
  const finishPiece = () => {
    if (between.length > 0) pieces.push({ text: between.join('\n'), blankLinesBefore: 0, ...mark });
    between = [];
  };
  for (const line of block.text.split('\n')) {
    const node = build(line);
    if (node === null) between.push(line);
    else {
      finishPiece();
      pieces.push({ text: line, blankLinesBefore: 0, node });
    }
  }
  finishPiece();
  const isFound = pieces.some(({ node }) => node !== undefined);
  queue.putBack(isFound ? pieces : [{ ...block, ...mark }]);
  return isFound;
}

function splitIntoBlocks(text: string): Block[] {
  const pieces = text.split(/(\n{2,})/);
  const blocks: Block[] = [];
  for (let at = 0; at < pieces.length; at += 2) {
    const block = (pieces[at] ?? '').replace(/^\n|\n$/g, '');
    const gap = pieces[at - 1] ?? '';
    if (!isBlank(block)) blocks.push({ text: block, blankLinesBefore: Math.max(0, gap.length - 1) });
  }
  return blocks;
}
