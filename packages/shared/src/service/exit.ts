import { ConfigError } from './config';
import { fullDiskSentence } from './full-disk';
import type { Logger } from './logger';

/** Ends the process when a setting is wrong or the disk is full, with the one line that an operator needs. */
export function orExit<T>(create: () => T): T {
  try {
    return create();
  } catch (error) {
    endIfExplained(error);
    throw error;
  }
}

/** Ends the process if a sentence says it all; some settings are only found wrong when they are used. */
export function endIfExplained(error: unknown): void {
  const sentence = error instanceof ConfigError ? error.message : fullDiskSentence(error);
  if (sentence === undefined) return;
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Ends the process, and says why in one line. */
export function die(log: Logger, error: unknown, what: string): never {
  log.fatal({ err: error }, what);
  log.flush();
  process.exit(1);
}
