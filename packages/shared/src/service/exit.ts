import { ConfigError } from './config';
import type { Logger } from './logger';

/** Ends the process when a setting is wrong, with the one line that an operator needs. */
export function orExit<T>(create: () => T): T {
  try {
    return create();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** Ends the process, and says why in one line. */
export function die(log: Logger, error: unknown, what: string): never {
  log.fatal({ err: error }, what);
  log.flush();
  process.exit(1);
}
