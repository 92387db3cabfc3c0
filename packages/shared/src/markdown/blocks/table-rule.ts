import { element, type HtmlElement } from '../html-node';
import type { BlockRule } from './block-parser';

/** A header row, a row of dashes with equally many cells, and rows up to the next blank line. */
export const tableRule: BlockRule = {
  name: 'table',
  run(parser, parent, queue) {
    if (!queue.first?.text.includes('|')) return false;
    const lines = queue.first.text.split('\n');
    const columns = findColumns(lines);
    if (!columns) return false;
    queue.take();
    parser.budget.payForElements(lines.length * columns.styles.length);
    parent.children.push(buildTable(lines, columns));
    return true;
  },
};

interface Columns {
  isBordered: boolean;
  /** One style, or none, for each column. */
  styles: Record<string, string>[];
}

function findColumns(lines: string[]): Columns | null {
  const [header, separator] = lines.slice(0, 2).map((line) => trimSpaces(line));
  if (header === undefined || separator === undefined) return null;
  const isBordered = hasBorder(header);
  const width = splitTableRow(header, isBordered).length;
  const marks = splitTableRow(separator, isBordered);
  if (marks.length !== width || !/^[|:\- ]*$/.test(marks.join(''))) return null;
  // One column is a table only if every line has a border.
  if (width === 1 && !(isBordered && lines.every((line) => hasBorder(trimSpaces(line))))) return null;
  return { isBordered, styles: marks.map((mark) => alignment(trimSpaces(mark))) };
}

function hasBorder(line: string): boolean {
  return line.startsWith('|') || /(?<!\\)(?:\\\\)*\|$/.test(line);
}

function alignment(mark: string): Record<string, string> {
  const [isLeft, isRight] = [mark.startsWith(':'), mark.endsWith(':')];
  if (!isLeft && !isRight) return {};
  return { style: `text-align: ${isLeft && isRight ? 'center' : isLeft ? 'left' : 'right'};` };
}

function buildTable(lines: string[], columns: Columns): HtmlElement {
  const rows = lines.slice(2).map((line) => buildRow(line, 'td', columns));
  const emptyRow = () =>
    element(
      'tr',
      {},
      columns.styles.map(() => element('td')),
    );
  return element('table', {}, [
    element('thead', {}, [buildRow(lines[0] ?? '', 'th', columns)]),
    element('tbody', {}, rows.length > 0 ? rows : [emptyRow()]),
  ]);
}

/** Every row has as many cells as the header. */
function buildRow(line: string, tag: 'td' | 'th', { isBordered, styles }: Columns): HtmlElement {
  const cells = splitTableRow(trimSpaces(line), isBordered);
  return element(
    'tr',
    {},
    styles.map((style, at) => element(tag, style, [trimSpaces(cells[at] ?? '')])),
  );
}

function trimSpaces(text: string): string {
  return text.replace(/^ +| +$/g, '');
}

interface Region {
  start: number;
  end: number;
}

/** The cells of a row. A `|` inside a code span, before the id in a mention, or after a backslash is no separator. */
function splitTableRow(row: string, isBordered: boolean): string[] {
  return splitAtPipes(isBordered ? withoutBorder(row) : row);
}

function withoutBorder(row: string): string {
  return row.replace(/^\|/, '').replace(/(?<!\\)(?:\\\\)*\|$/, '');
}

function splitAtPipes(row: string): string[] {
  const marks = [...row.matchAll(/@_?\*\*[^*`|]*\|\d+\*\*|\\\\|\\`+|`+|\\\||\|/g)];
  const regions = findCodeRegions(marks);
  const cells: string[] = [];
  let start = 0;
  let region = 0;
  for (const { 0: mark, index } of marks) {
    if (mark !== '|') continue;
    while (index > (regions[region]?.end ?? Number.POSITIVE_INFINITY)) region++;
    if (index > (regions[region]?.start ?? Number.POSITIVE_INFINITY)) continue;
    cells.push(row.slice(start, index));
    start = index + 1;
  }
  return [...cells, row.slice(start)];
}

/** From each run of backticks to the next of its length. A backslash takes one backtick off an opening run. */
function findCodeRegions(marks: RegExpExecArray[]): Region[] {
  const runs = marks.filter(({ 0: mark }) => mark.endsWith('`'));
  const lengths = runs.map(({ 0: mark }) => mark.replace('\\', '').length);
  const nextOfLength = indexByLength(lengths);
  const regions: Region[] = [];
  for (let at = 0; at < runs.length; at++) {
    const opening = runs[at];
    if (!opening) break;
    const isEscaped = opening[0].startsWith('\\');
    const closing = nextOfLength((lengths[at] ?? 0) - (isEscaped ? 1 : 0), at);
    const closingRun = runs[closing];
    if (!closingRun) continue;
    regions.push({ start: opening.index, end: closingRun.index + closingRun[0].length - 1 });
    at = closing;
  }
  return regions;
}

/** Finds the next run of a length; all calls together read each run once. */
function indexByLength(lengths: number[]): (length: number, after: number) => number {
  const places = new Map<number, number[]>();
  for (let at = lengths.length - 1; at >= 0; at--) {
    const length = lengths[at] ?? 0;
    const known = places.get(length);
    if (known) known.push(at);
    else places.set(length, [at]);
  }
  return (length, after) => {
    const left = places.get(length) ?? [];
    while (left.length > 0 && (left.at(-1) ?? 0) <= after) left.pop();
    return length === 0 ? -1 : (left.at(-1) ?? -1);
  };
}
