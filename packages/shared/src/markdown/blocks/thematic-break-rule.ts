import { element } from '../html-node';
import { type BlockRule, takeLines } from './block-parser';

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
