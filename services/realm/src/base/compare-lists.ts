import { Slices } from '@parley/shared/batch';

/** Lists of ids by their holders. */
export type ListsByHolder = ReadonlyMap<number, readonly number[]>;

/** By id, the holders whose lists have it, but not in `other`. In slices: thousands may have thousands. */
export async function holdersOnlyIn(lists: ListsByHolder, other: ListsByHolder): Promise<Map<number, number[]>> {
  const slices = new Slices(Number.POSITIVE_INFINITY);
  const holders = new Map<number, number[]>();
  for (const [holder, ids] of lists) {
    if (slices.isUsedUp()) await slices.endSlice();
    for (const id of without(ids, other.get(holder) ?? [])) {
      const list = holders.get(id);
      if (list) list.push(holder);
      else holders.set(id, [holder]);
    }
  }
  return holders;
}

function without(ids: readonly number[], known: readonly number[]): readonly number[] {
  if (known.length === 0) return ids;
  const areEqual = ids.length === known.length && ids.every((id, at) => id === known[at]);
  if (areEqual) return [];
  const excluded = new Set(known);
  return ids.filter((id) => !excluded.has(id));
}
