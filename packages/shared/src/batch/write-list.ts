import { Slices } from './slices';

/** Minimum number of characters in a piece. */
const PIECE_LENGTH = 64 * 1024;

/**
 * Writes a list as JSON, item by item in slices, for endpoints and services with long lists: the concatenated pieces are one
 * array. `deadlineAt` (UNIX milliseconds): throws ServiceUnavailableError after it.
 */
export async function writeListInSlices<Item>(
  items: readonly Item[],
  present: (item: Item) => unknown,
  deadlineAt: number,
): Promise<Buffer[]> {
  const slices = new Slices(deadlineAt);
  const pieces: Buffer[] = [];
  let text = '[';
  for (const [at, item] of items.entries()) {
    if (slices.isUsedUp()) await slices.endSlice();
    text += `${at === 0 ? '' : ','}${JSON.stringify(present(item))}`;
    if (text.length < PIECE_LENGTH) continue;
    pieces.push(Buffer.from(text));
    text = '';
  }
  pieces.push(Buffer.from(`${text}]`));
  return pieces;
}
