import { ConfigError } from './config';
import type { Logger } from './logger';

/** Ends the process when a setting is wrong, with the one line that an operator needs. */
export function orExit<T>(create: () => T): T {
  try {
    return create();
  } catch (error) {
    endIfSettingsAreWrong(error);
    throw error;
  }
}

/** Ends the process if that is what the error says; some settings are only found wrong when they are used. */
export function endIfSettingsAreWrong(error: unknown): void {
  if (!(error instanceof ConfigError)) return;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

/** Ends the process, and says why in one line. */
export function die(log: Logger, error: unknown, what: string): never {
  log.fatal({ err: error }, what);
  log.flush();
  process.exit(1);
}
