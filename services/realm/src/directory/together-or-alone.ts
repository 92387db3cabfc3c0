import { PublicError } from '@parley/shared/errors';

/** New accounts that share a transaction: bounds how long it holds locks and the event loop. */
export const MAX_TOGETHER = 64;

/** Data exceptions and violated constraints, which a single item can cause, and conflicts between transactions. */
const OF_ONE_ITEM = /^(2[23]|40)/;

/**
 * Does several things in one transaction, where each of them can be done so: `together` returns null for the others, which are done `alone`.
 * An error that one item may have caused undoes all, and each is done alone. Returns each result, or the error of that item.
 */
export async function togetherOrAlone<Item, Result extends object>(
  items: readonly Item[],
  together: (items: readonly Item[]) => Promise<(Result | null)[]>,
  alone: (item: Item) => Promise<Result>,
): Promise<(Result | Error)[]> {
  const done = items.length === 1 ? [] : await together(items).catch(noneOf);
  const results: (Result | Error)[] = [];
  for (const [index, item] of items.entries()) results.push(done[index] ?? (await alone(item).catch(asError)));
  return results;
}

function noneOf(error: unknown): [] {
  const isOfOne = error instanceof PublicError || OF_ONE_ITEM.test(String((error as { code?: unknown }).code));
  if (!isOfOne) throw error;
  return [];
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
