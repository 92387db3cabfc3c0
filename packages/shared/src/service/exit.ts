import { DISK_FULL } from '../db/lost-connection';
import { ConfigError } from '../errors';
import type { Logger } from '../observability';

/** Ends the process with one line for the operator if a setting is wrong or the disk is full. */
export function orExit<T>(create: () => T): T {
  try {
    return create();
  } catch (error) {
    endIfExplained(error);
    throw error;
  }
}

/** Ends the process if one line explains the error; some settings are only found wrong when they are used. */
export function endIfExplained(error: unknown): void {
  const sentence = error instanceof ConfigError ? error.message : fullDiskSentence(error);
  if (sentence === undefined) return;
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Ends the process with one line. */
export function die(log: Logger, error: unknown, what: string): never {
  log.fatal({ err: error }, what);
  log.flush();
  process.exit(1);
}

/** Error codes of the file system, and of PostgreSQL. */
const CODES = new Set(['ENOSPC', 'EDQUOT', DISK_FULL]);
/** Messages of servers without error codes. */
const WORDS = /no space left on device|disk quota exceeded/i;

/** The sentence about a full disk, if that caused the error; for programs that people start. */
export function fullDiskSentence(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (CODES.has(code ?? '') || WORDS.test(message))
      return `the disk is full: ${message.split('\n', 1)[0]}; make room, then start again`;
  }
  return undefined;
}
