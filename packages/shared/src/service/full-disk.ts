import { DISK_FULL } from '../db/lost-connection';

/** Of the file system, and of PostgreSQL. */
const CODES = new Set(['ENOSPC', 'EDQUOT', DISK_FULL]);
/** Of servers, which say it in words alone. */
const WORDS = /no space left on device|disk quota exceeded/i;

/** The sentence for whoever starts something, if what it failed of, or a cause of that, is a full disk. */
export function fullDiskSentence(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (CODES.has(code ?? '') || WORDS.test(message))
      return `the disk is full: ${message.split('\n', 1)[0]}; make room, then start again`;
  }
  return undefined;
}
