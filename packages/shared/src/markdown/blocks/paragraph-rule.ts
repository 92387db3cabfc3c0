import { element, type HtmlElement } from '../html-node';
import { type BlockRule, lastElement } from './block-parser';

/** What no other rule takes. In a tight list item text stands by itself. */
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
