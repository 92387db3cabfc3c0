import { element, type HtmlElement } from '../html-node';
import { type Block, type BlockParser, type BlockRule, hasTag, lastElement } from './block-parser';
import { wrapLeadingText } from './list-rule';

const listTags = ['ol', 'ul'];
const indentation = 2;

/** An indented block below a list belongs to its last item, or to the last item of a list inside that one. */
export const listIndentRule: BlockRule = {
  name: 'listIndent',
  run(parser, parent, queue) {
    const block = queue.first;
    if (!block?.text.startsWith('  ') || parser.isState('detabbed')) return false;
    if (parent.tag !== 'li' && !hasTag(lastElement(parent), listTags)) return false;
    queue.take();
    const { level, owner } = findOwner(parser, parent, block.text);
    parseInside(parser, parent, owner, { ...block, text: removeIndentation(block.text, level).replace(/^\n+/, '') });
    return true;
  },
};

/** Walks down the last lists and items as far as the indentation leads. */
function findOwner(parser: BlockParser, parent: HtmlElement, text: string) {
  const wanted = Math.floor((text.length - text.trimStart().length) / indentation);
  let level = parser.isState('list') ? 1 : 0;
  let owner = parent;
  while (wanted > level) {
    const child = lastElement(owner);
    if (!hasTag(child, ['li', ...listTags])) break;
    if (child.tag !== 'li') level++;
    owner = child;
  }
  return { level, owner };
}

function parseInside(parser: BlockParser, parent: HtmlElement, owner: HtmlElement, block: Block): void {
  const lastItem = lastElement(owner);
  if (parent.tag === 'li') {
    const innerList = lastElement(parent);
    parser.parseBlocks(hasTag(innerList, listTags) ? innerList : parent, [block], 'detabbed');
  } else if (owner.tag === 'li') {
    parser.parseBlocks(owner, [block], 'detabbed');
  } else if (hasTag(lastItem, ['li'])) {
    wrapLeadingText(lastItem);
    parser.parseBlocks(lastItem, [block], 'detabbed');
  } else {
    const item = element('li');
    owner.children.push(item);
    parser.parseBlocks(item, [block], 'detabbed');
  }
}

function removeIndentation(text: string, level: number): string {
  const prefix = ' '.repeat(indentation * level);
  return text
    .split('\n')
    .map((line) => (line.startsWith(prefix) ? line.slice(prefix.length) : line))
    .join('\n');
}
