/** A row of a CSV file, with the line on which it begins. */
interface CsvRow {
  line: number;
  cells: string[];
}

/**
 * Reads CSV (RFC 4180): cells with commas, quotes or line ends are in quotes. Skips empty lines and a byte order
 * mark. Throws, with its line, when a quote never ends.
 */
export function parseCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;
  let line = 1;
  let row: CsvRow = { line, cells: [] };
  cell.lastIndex = text.startsWith('\uFEFF') ? 1 : 0;
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text);
    if (!found) throw new Error(`line ${line}: a quote that nothing ends, or text beside one`);
    const [, quoted, bare, end] = found as unknown as [string, string | undefined, string, string];
    row.cells.push(quoted === undefined ? bare.trim() : quoted.replaceAll('""', '"'));
    line += quoted?.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (end === ',' && cell.lastIndex < text.length) continue;
    if (end === ',') row.cells.push('');
    if (row.cells.some((each) => each !== '')) rows.push(row);
    line += 1;
    row = { line, cells: [] };
  }
  return rows;
}
