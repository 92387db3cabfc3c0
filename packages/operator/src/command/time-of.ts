/** An instant, as commands print it. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
