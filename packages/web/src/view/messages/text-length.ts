/** A message with more lines is long. */
const MOST_LINES = 40;
/** So many characters are about a line. */
const LINE_LENGTH = 100;

/** Whether rendered content fills more than a screen, by its text: measuring it would be a layout for each row. */
export function isLong(html: string): boolean {
  if (html.length < MOST_LINES) return false;
  let lines = 0;
  for (const line of html.replace(/<[^>]*>/g, '').split('\n')) {
    lines += Math.max(Math.ceil(line.length / LINE_LENGTH), 1);
    if (lines > MOST_LINES) return true;
  }
  return false;
}
