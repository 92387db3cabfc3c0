import pino from 'pino';

export type Logger = pino.Logger;

const SECRETS = ['authorization', 'api_key', 'apiKey', 'key', 'password', 'secret', 'token', 'content'];
/** PostgreSQL tells the values of a row that it refuses. */
const ROWS = ['err.detail', 'err.where'];

/**
 * One JSON line per event, named after the service, on standard output unless tests read it. What people have written, keys and
 * passwords never reach a log line.
 */
export function createLogger(service: string, level: string, destination?: pino.DestinationStream): Logger {
  const options = {
    name: service,
    level,
    base: { service },
    redact: [...SECRETS.flatMap((name) => [name, `*.${name}`]), 'req.headers.authorization', ...ROWS],
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

export const silentLogger: Logger = pino({ level: 'silent' });
