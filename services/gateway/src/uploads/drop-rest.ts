import type { Readable } from 'node:stream';

const MIB = 1024 * 1024;
/** Amount of a refused body that is read and dropped, so that its sender gets the answer, and may use the connection again. */
export const MAX_DROPPED_BYTES = 64 * MIB;

/** Closes the connection once more than `maxBytes` of the body have been read. */
export function boundBody(body: Readable, maxBytes: number): void {
  let size = 0;
  body.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) body.destroy();
  });
}

/** Reads and drops what is left of a refused body. */
export function dropRest(body: Readable): void {
  boundBody(body, MAX_DROPPED_BYTES);
  body.resume();
}
