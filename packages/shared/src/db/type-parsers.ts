import pg from './driver';

const INT8 = 20;
const INT8_ARRAY = 1016;
const TIMESTAMPTZ = 1184;

const parsers = new Map<number, (text: string) => unknown>([
  // Ids and counters stay far below 2^53.
  [INT8, Number],
  [INT8_ARRAY, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number))],
  [TIMESTAMPTZ, readTime],
]);

/** Connections run in UTC, whose times are parsed in half the time: pages have many. */
function readTime(text: string): number {
  if (text.endsWith('+00')) return Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
  return Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
}

/** Every connection reads bigints and timestamps as numbers (milliseconds). */
export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return parsers.get(oid) ?? pg.types.getTypeParser(oid, format as 'text');
}
