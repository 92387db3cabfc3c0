/** A text without anything that begins a line or turns the direction of what follows: as headers and paragraphs take it. */
export function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
}
