import { element, type HtmlElement, isBlank } from '../html-node';
import { type Block, type BlockParser, type BlockRule, blockOf, hasTag, lastElement } from './block-parser';

interface ListKind {
  tag: 'ol' | 'ul';
  /** A line that begins an item of this kind. */
  item: RegExp;
}

const bulleted: ListKind = { tag: 'ul', item: /^ ?[*+-] +(.*)/s };
const numbered: ListKind = { tag: 'ol', item: /^ ?\d+\. +(.*)/s };

/** Two spaces begin a nested list. */
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

/** Items of the same kind after a list and a blank line continue the list; the adjacent two become loose. */
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
function wrapLeadingText(item: HtmlElement): void {
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

const listTags = ['ol', 'ul'];
const indentation = 2;

/** An indented block below a list belongs to its last item, or to the last item of a nested list. */
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

/** Descends along the last lists and items, according to the indentation. */
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

/** Only these begin a list directly below other text: "2024. A year" does not. */
const item = /^( *)([*+-]|\d\.) +/;

interface Level {
  indentation: number;
  /** Its first item follows a blank line: then text on an outer level must follow one, too. */
  isSeparated: boolean;
}

/** Tells for each line whether a blank line is missing before it to begin a list, or to continue an enclosing one. */
export class ListSeparator {
  private readonly levels: Level[] = [];

  /** Whether a blank line must be inserted between two lines. `previous` is undefined if there is none. */
  isMissing(previous: string | undefined, line: string): boolean {
    const [, spaces = '', marker] = item.exec(line) ?? [];
    if (marker === undefined) return false;
    const isBack = this.leaveDeeper(spaces.length);
    const isBelowBlank = previous === '';
    const isMissing = previous !== undefined && !isBelowBlank && (isBack || isOtherThan(previous, marker));
    if (this.levels.at(-1)?.indentation !== spaces.length) {
      this.levels.push({ indentation: spaces.length, isSeparated: isMissing || isBelowBlank });
    }
    return isMissing;
  }

  /** Whether one of the ending levels is separated from its enclosing one. */
  private leaveDeeper(indentation: number): boolean {
    let isSeparated = false;
    while ((this.levels.at(-1)?.indentation ?? 0) > indentation)
      isSeparated = this.levels.pop()?.isSeparated || isSeparated;
    return isSeparated;
  }
}

/** Text, or an item of a list of the other kind. */
function isOtherThan(previous: string, marker: string): boolean {
  return item.exec(previous)?.[2]?.length !== marker.length;
}
