import type { HtmlNode } from '../html-node';
import type { BlockRule } from './block-parser';

/** Blocks made before the others are parsed. In the text a mark stands for each, on a line of its own. */
export class BlockStash {
  private readonly nodes: HtmlNode[] = [];

  /** The line that stands for the node. */
  put(node: HtmlNode): string {
    return `\u0002${this.nodes.push(node) - 1}\u0003`;
  }

  get(line: string): HtmlNode | undefined {
    return this.nodes[Number(line.slice(1, -1))];
  }
}

export function stashedBlockRule(stash: BlockStash): BlockRule {
  return {
    name: 'stashedBlock',
    run(_parser, parent, queue) {
      const node = queue.first?.text.startsWith('\u0002') ? stash.get(queue.first.text) : undefined;
      if (node === undefined) return false;
      queue.take();
      parent.children.push(node);
      return true;
    },
  };
}
