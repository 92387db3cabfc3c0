import type { Socket } from 'node:net';
import { DirectoryError } from './directory-error';

/** An ExtendedRequest with message id 1 and the name 1.3.6.1.4.1.1466.20037 (RFC 4511, 4.14). */
const REQUEST = Buffer.concat([
  Buffer.from('301d02010177188016', 'hex'),
  Buffer.from('1.3.6.1.4.1.1466.20037', 'ascii'),
]);
const MAX_ANSWER_BYTES = 4_096;

/**
 * Asks the server to begin TLS on a new connection; resolves when it has agreed. The answer must be all that was received: bytes sent
 * along by somebody in between would otherwise count as sent over TLS.
 */
export async function requestTls(socket: Socket): Promise<void> {
  socket.write(REQUEST);
  const answer = await readAnswer(socket);
  if (!isAgreement(answer)) throw new DirectoryError('tls', 'the server refuses STARTTLS');
}

/** The first message of the server; rejects if more follows. */
function readAnswer(socket: Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const length = lengthOf(received);
      if (length === null && received.length < MAX_ANSWER_BYTES) return;
      const isWhole = length === received.length;
      if (length !== null && length > received.length && length <= MAX_ANSWER_BYTES) return;
      stop();
      if (isWhole) resolve(received);
      else reject(new DirectoryError('tls', 'the server answers STARTTLS with something else'));
    };
    const onEnd = () => {
      stop();
      reject(new DirectoryError('unreachable', 'the server closed the connection before TLS began'));
    };
    const stop = () => {
      socket.off('data', onData).off('close', onEnd);
      socket.pause();
    };
    socket.on('data', onData).on('close', onEnd);
  });
}

/** The length of a BER element with its head; null: more bytes are needed. */
function lengthOf(bytes: Buffer, at = 0): number | null {
  const head = headOf(bytes, at);
  return head && head.size + head.length;
}

function headOf(bytes: Buffer, at: number): { size: number; length: number } | null {
  const first = bytes[at + 1];
  if (first === undefined) return null;
  if (first < 0x80) return { size: 2, length: first };
  const count = first - 0x80;
  if (count < 1 || count > 4) return { size: 2, length: Number.POSITIVE_INFINITY };
  return bytes.length < at + 2 + count ? null : { size: 2 + count, length: bytes.readUIntBE(at + 2, count) };
}

/** An ExtendedResponse to message 1 with the result 0, success. */
function isAgreement(bytes: Buffer): boolean {
  const outer = headOf(bytes, 0);
  if (bytes[0] !== 0x30 || !outer) return false;
  const id = bytes.subarray(outer.size, outer.size + 3);
  const inner = headOf(bytes, outer.size + 3);
  if (!id.equals(Buffer.from([2, 1, 1])) || bytes[outer.size + 3] !== 0x78 || !inner) return false;
  const result = outer.size + 3 + inner.size;
  return bytes.subarray(result, result + 3).equals(Buffer.from([0x0a, 1, 0]));
}
