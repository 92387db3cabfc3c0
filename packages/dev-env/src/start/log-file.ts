import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';

const MAX_BYTES = 20 * 1024 * 1024;

/**
 * A log file of a service's output. When it is full it is renamed to `<file>.1`, replacing the former one. What arrives in one
 * turn of the event loop is written together.
 */
export function openLogFile(file: string): (text: string) => void {
  mkdirSync(path.dirname(file), { recursive: true });
  let bytes = sizeOf(file);
  let waiting = '';

  function write(): void {
    const text = waiting;
    waiting = '';
    try {
      if (bytes > MAX_BYTES) {
        renameSync(file, `${file}.1`);
        bytes = 0;
      }
      appendFileSync(file, text);
      bytes += Buffer.byteLength(text);
    } catch {
      // A full disk, or a deleted file, must not stop the services: the text is dropped.
    }
  }

  process.on('exit', () => {
    if (waiting !== '') write();
  });
  return (text) => {
    if (waiting === '') setImmediate(() => waiting !== '' && write());
    waiting += text;
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
