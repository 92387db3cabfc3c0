import { element, type HtmlElement, isBlank } from '../html-node';
import { type Block, type BlockParser, type BlockRule, blockOf, hasTag, lastElement } from './block-parser';

interface ListKind {
  tag: 'ol' | 'ul';
  /** A line that begins an item of this kind. */
  item: RegExp;
}

const bulleted: ListKind = { tag: 'ul', item: /^ ?[*+-] +(.*)/s };
const numbered: ListKind = { tag: 'ol', item: /^ ?\d+\. +(.*)/s };

/** Two spaces nest. */
const nestedItem = /^ {2,3}(?:\d+\.|[*+-]) +/;

export const bulletedListRule = listRule(bulleted);
export const numberedListRule = listRule(numbered);

function listRule(kind: ListKind): BlockRule {
  return {
    name: kind.tag,
    run(parser, parent, queue) {
      if (!queue.first || parser.isTooDeep || !kind.item.test(queue.first.text)) return false;
      addItems(parser, parent, kind, queue.take());
      return true;
    },
  };
}

/** Items that follow a list of their kind after a blank line continue it; the two that meet there become loose. */
function addItems(parser: BlockParser, parent: HtmlElement, kind: ListKind, block: Block): void {
  const items = splitIntoItems(block.text, kind);
  const sibling = lastElement(parent);
  if (!hasTag(sibling, [kind.tag])) {
    const isInList = hasTag(parent, ['ol', 'ul']);
    addTightItems(parser, isInList ? parent : addList(parent, kind, block.text), items);
    return;
  }
  const lastItem = sibling.children.at(-1) as HtmlElement;
  wrapLeadingText(lastItem);
  wrapTrailingText(lastItem);
  const looseItem = addItem(sibling);
  parser.parseBlocks(looseItem, [blockOf(items[0] ?? '')], 'looseList');
  addTightItems(parser, sibling, items.slice(1));
}

/** A line that begins no item belongs to the item above it. */
function splitIntoItems(text: string, kind: ListKind): string[] {
  const items: string[][] = [];
  for (const line of text.split('\n')) {
    const last = items.at(-1);
    const ownText = kind.item.exec(line)?.[1];
    if (ownText !== undefined) items.push([ownText]);
    else if (last && !(nestedItem.test(line) && !last[0]?.startsWith('  '))) last.push(line);
    else items.push([line]);
  }
  return items.map((lines) => lines.join('\n'));
}

function addTightItems(parser: BlockParser, list: HtmlElement, items: string[]): void {
  for (const item of items) {
    const isNested = item.startsWith('  ');
    const target = isNested ? (list.children.at(-1) as HtmlElement | undefined) : addItem(list);
    if (target) parser.parseBlocks(target, [blockOf(item)], 'list');
  }
}

function addList(parent: HtmlElement, kind: ListKind, text: string): HtmlElement {
  const start = kind.tag === 'ol' ? /\d+/.exec(text)?.[0] : undefined;
  const list = element(kind.tag, start && start !== '1' ? { start } : {});
  parent.children.push(list);
  return list;
}

function addItem(list: HtmlElement): HtmlElement {
  const item = element('li');
  list.children.push(item);
  return item;
}

/** The text of a tight item becomes its first paragraph. */
export function wrapLeadingText(item: HtmlElement): void {
  const first = item.children[0];
  if (typeof first === 'string' && first !== '') item.children[0] = element('p', {}, [first]);
}

/** Text after the last block of an item becomes a paragraph too. */
function wrapTrailingText(item: HtmlElement): void {
  const last = item.children.at(-1);
  if (typeof last === 'string' && !isBlank(last)) {
    item.children[item.children.length - 1] = element('p', {}, [last.trimStart()]);
  }
}
