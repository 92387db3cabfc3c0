/** Codes that a terminal obeys, and ends of lines; members write some of the texts that commands print. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** A text for one line of a terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, '; ').replaceAll(CONTROL, '\uFFFD');
}
