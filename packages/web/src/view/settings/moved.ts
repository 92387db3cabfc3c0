/** The list with one of its ids so many places further, or as far as the list goes. */
export function moved(ids: readonly number[], id: number, by: number): number[] {
  const others = ids.filter((each) => each !== id);
  const to = Math.max(0, Math.min(others.length, ids.indexOf(id) + by));
  return others.toSpliced(to, 0, id);
}
