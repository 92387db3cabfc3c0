import { element, type HtmlElement } from '../html-node';
import { type BlockRule, blockOf, hasTag, lastElement } from './block-parser';

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
