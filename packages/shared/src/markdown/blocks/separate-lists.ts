/** Only these begin a list right below other text: "2024. A year" does not. */
const item = /^ {0,3}([*+-]|\d\.) +/;

/** Whether a blank line belongs between two lines, so that the second begins a list. */
export function beginsList(previous: string, line: string): boolean {
  const marker = item.exec(line)?.[1];
  if (marker === undefined || previous === '') return false;
  const previousMarker = item.exec(previous)?.[1];
  return previousMarker?.length !== marker.length;
}
