import { collectGarbage } from '@parley/shared/service';

const COLLECT_AFTER_BYTES = 2 * 1024 * 1024;

let writtenBytes = 0;

/**
 * Called with the bytes made for each long answer: frees the buffers of those written so far, two megabytes at a time. NOTE: V8 counts buffers as
 * old at once, and would mark the whole heap after a few megabytes of them, which takes several times as long as all else about a page.
 */
export function noteWritten(bytes: number): void {
  writtenBytes += bytes;
  if (writtenBytes < COLLECT_AFTER_BYTES) return;
  writtenBytes = 0;
  collectGarbage({ type: 'minor' });
}
