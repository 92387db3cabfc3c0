/** An error in one line, for the operator. */
export function inOneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).trim().replaceAll(/\s*\n\s*/g, '; ');
}
