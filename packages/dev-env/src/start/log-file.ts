import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';

const MAX_BYTES = 20 * 1024 * 1024;

/** A log file of a service's output. When it is full it is renamed to `<file>.1`, replacing the former one. */
export function openLogFile(file: string): (text: string) => void {
  mkdirSync(path.dirname(file), { recursive: true });
  let bytes = sizeOf(file);
  return (text) => {
    try {
      if (bytes > MAX_BYTES) {
        renameSync(file, `${file}.1`);
        bytes = 0;
      }
      appendFileSync(file, text);
      bytes += Buffer.byteLength(text);
    } catch {
      // A full disk, or a deleted file, must not stop the services: the line is dropped.
    }
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
