import { element, type HtmlElement } from '../html-node';
import type { BlockRule } from './block-parser';
import { splitTableRow } from './split-table-row';

/** A header row, a row of dashes with as many cells, and rows up to the next blank line. */
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
  // One column is a table only where every line has a border.
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
