import { element } from '../html-node';
import { type BlockRule, blockOf } from './block-parser';

const marker = /^ {0,3}> ?(.*)/s;

/** Begins at the first marked line and holds the rest of the block; quotes that hold nothing are text. */
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

/** The first marked line that is not the head of nothing but empty marked lines up to the end of the block. */
function findStart(lines: string[]): number {
  const isEmptyMarked = lines.map((line) => /^ {0,3}>\s*$/.test(line));
  const lastFilled = isEmptyMarked.lastIndexOf(false);
  return lines.findIndex((line, at) => marker.test(line) && at <= lastFilled);
}

function removeMarker(line: string): string {
  return line.trim() === '>' ? '' : (marker.exec(line)?.[1] ?? line);
}
