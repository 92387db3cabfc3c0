/** The ids in ascending order, for thousands of them: a comparison in JavaScript for each step costs several times as much. */
export function ascending(ids: readonly number[]): number[] {
  return [...new Float64Array(ids).sort()];
}
