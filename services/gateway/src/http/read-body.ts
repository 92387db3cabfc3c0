import type { IncomingMessage } from 'node:http';
import { BadRequestError } from '@parley/shared/errors';
import { rawFailure } from './answer';
import { MAX_BODY_BYTES, MAX_BODY_MS, MAX_DROPPED_BYTES } from './bounds';

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** A request's whole body. Throws a BadRequestError (413) once it exceeds the limit. */
export function readBody(req: IncomingMessage, maxBytes = MAX_BODY_BYTES): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      chunks = [];
      reject(tooLarge(maxBytes));
      if (size > MAX_DROPPED_BYTES) req.destroy();
    });
    const timer = setTimeout(() => {
      req.socket.write(rawFailure(408));
      req.socket.destroySoon();
    }, MAX_BODY_MS);
    // NOTE: a request that was answered before its body had come gets no event when its connection ends.
    const { socket } = req;
    const forget = () => clearTimeout(timer);
    socket.on('close', forget);
    req.on('end', () => {
      clearTimeout(timer);
      socket.off('close', forget);
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    });
    req.on('close', () => {
      clearTimeout(timer);
      if (!req.complete) reject(new BadRequestError('The request ended before its body was complete'));
    });
    req.on('error', () => {});
  });
}

function tooLarge(maxBytes: number): BadRequestError {
  return new BadRequestError(`The request is too large (limit: ${maxBytes} bytes)`, {}, 413);
}
