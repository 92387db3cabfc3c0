import { element, type HtmlElement, type HtmlNode } from '../html-node';
import { type BlockRule, blockOf, hasTag, lastElement, takeLines } from './block-parser';

const opening = /^(#{1,6})\s/;

/** `#` to `######` and a space; may be between other lines. Marks at the end of the line are dropped. */
export const headingRule: BlockRule = {
  name: 'heading',
  run(_parser, _parent, queue) {
    if (!queue.first?.text.includes('#') || queue.first.hasNoHeading) return false;
    return takeLines(queue, buildHeading, { hasNoHeading: true });
  },
};

function buildHeading(line: string): HtmlElement | null {
  const marks = opening.exec(line)?.[1];
  if (marks === undefined) return null;
  let end = line.length;
  while (line[end - 1] === '#') end--;
  return element(`h${marks.length}`, {}, [line.slice(marks.length, Math.max(end, marks.length)).trim()]);
}

const thematicBreak = /^ {0,3}(?:(?:- {0,2}){3,}|(?:_ {0,2}){3,}|(?:\* {0,2}){3,}) *$/;

/** A line of three or more `-`, `*` or `_`. */
export const thematicBreakRule: BlockRule = {
  name: 'thematicBreak',
  run(_parser, _parent, queue) {
    if (!queue.first || queue.first.hasNoThematicBreak) return false;
    const mark = { hasNoThematicBreak: true, ...(queue.first.hasNoHeading ? { hasNoHeading: true } : {}) };
    return takeLines(queue, (line) => (thematicBreak.test(line) ? element('hr') : null), mark);
  },
};

const marker = /^ {0,3}> ?(.*)/s;

/** Begins at the first marked line and takes the rest of the block; empty quotes are text. */
export const quoteRule: BlockRule = {
  name: 'quote',
  run(parser, parent, queue) {
    const block = queue.first;
    if (!block?.text.includes('>') || parser.isTooDeep) return false;
    const lines = block.text.split('\n');
    const start = findStart(lines);
    if (start === -1) return false;
    queue.take();
    if (start > 0) parser.parseBlocks(parent, [blockOf(lines.slice(0, start).join('\n'))]);
    const quote = element('blockquote');
    parent.children.push(quote);
    parser.parseText(quote, lines.slice(start).map(removeMarker).join('\n'), 'quote');
    return true;
  },
};

/** The first marked line that is followed by content before the end of the block. */
function findStart(lines: string[]): number {
  const isEmptyMarked = lines.map((line) => /^ {0,3}>\s*$/.test(line));
  const lastFilled = isEmptyMarked.lastIndexOf(false);
  return lines.findIndex((line, at) => marker.test(line) && at <= lastFilled);
}

function removeMarker(line: string): string {
  return line.trim() === '>' ? '' : (marker.exec(line)?.[1] ?? line);
}

const prefix = '    ';

/** Lines indented by four spaces; blank lines between them are part of the code. */
export const indentedCodeRule: BlockRule = {
  name: 'indentedCode',
  run(_parser, parent, queue) {
    if (!queue.first?.text.startsWith(prefix)) return false;
    const block = queue.take();
    const lines = block.text.split('\n');
    const end = lines.findIndex((line) => !line.startsWith(prefix));
    const own = end === -1 ? lines : lines.slice(0, end);
    addCode(
      parent,
      own
        .map((line) => line.slice(prefix.length))
        .join('\n')
        .trimEnd(),
      block.blankLinesBefore,
    );
    if (end !== -1) queue.putBack([blockOf(lines.slice(end).join('\n'))]);
    return true;
  },
};

function addCode(parent: HtmlElement, code: string, blankLinesBefore: number): void {
  const previous = lastElement(parent);
  const isContinued = hasTag(previous, ['pre']) && previous.attributes['language'] === undefined;
  if (isContinued) previous.children.push('\n'.repeat(blankLinesBefore + 1), code);
  else parent.children.push(element('pre', {}, [code]));
}

/** Blocks parsed before the others. In the text each is replaced by a mark, on a separate line. */
export class BlockStash {
  private readonly nodes: HtmlNode[] = [];

  /** The line that replaces the node. */
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

/** Text that no other rule takes. In a tight list item it has no `p`. */
export const paragraphRule: BlockRule = {
  name: 'paragraph',
  run(parser, parent, queue) {
    const { text } = queue.take();
    if (parser.isState('list')) addText(parent, text);
    else parent.children.push(element('p', {}, [text.trimStart()]));
    return true;
  },
};

function addText(item: HtmlElement, text: string): void {
  const last = item.children.at(-1);
  if (typeof last === 'string') item.children[item.children.length - 1] = `${last}\n${text}`;
  else item.children.push(lastElement(item) ? `\n${text}` : text.trimStart());
}
