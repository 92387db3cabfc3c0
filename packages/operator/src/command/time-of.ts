/** How commands print an instant. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
