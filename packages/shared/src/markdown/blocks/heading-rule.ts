import { element, type HtmlElement } from '../html-node';
import { type BlockRule, takeLines } from './block-parser';

const opening = /^(#{1,6})\s/;

/** `#` to `######` and a space; it may stand in the middle of other lines. Marks at the end of the line are dropped. */
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
