import { writeListInSlices } from '@parley/shared/batch';

/** Pieces are combined into a chunk until it has this many bytes; larger pieces are separate chunks. */
const CHUNK_BYTES = 16 * 1024;

/**
 * A serialized value in pieces that many answers may share: they are written one after the other, and never concatenated
 * for one answer.
 */
export class JsonPieces {
  /** `freshBytes`: those of pieces that were made for this answer. */
  constructor(
    readonly pieces: readonly Uint8Array[],
    readonly freshBytes = byteLengthOf(pieces),
  ) {}

  /** Of pieces that other answers have, too. */
  static shared(pieces: readonly Uint8Array[]): JsonPieces {
    return new JsonPieces(pieces, 0);
  }

  /** For checks and tests. */
  parse(): unknown {
    return JSON.parse(Buffer.concat(this.pieces).toString());
  }
}

/** Writes a list item by item, in slices: thousands of messages would block the event loop. */
export async function listInSlices<Item>(
  items: readonly Item[],
  present: (item: Item) => unknown,
  { deadlineAt }: { deadlineAt: number },
): Promise<JsonPieces> {
  return new JsonPieces(await writeListInSlices(items, present, deadlineAt));
}

export function byteLengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** The pieces in chunks of a useful size for writing. Small ones are copied when they are written, large ones never. */
export function* chunksOf(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  let small: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    if (bytes + piece.length > CHUNK_BYTES && bytes > 0) {
      yield Buffer.concat(small, bytes);
      small = [];
      bytes = 0;
    }
    if (piece.length >= CHUNK_BYTES) {
      yield piece;
      continue;
    }
    small.push(piece);
    bytes += piece.length;
  }
  if (bytes > 0) yield Buffer.concat(small, bytes);
}
