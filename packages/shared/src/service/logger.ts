import pino from 'pino';

export type Logger = pino.Logger;

/** One JSON line per event on standard output, named after the service. Keys and passwords never reach a log line. */
export function createLogger(service: string, level: string): Logger {
  return pino({
    name: service,
    level,
    base: { service },
    redact: ['*.authorization', '*.api_key', '*.apiKey', '*.password', 'req.headers.authorization'],
  });
}

export const silentLogger: Logger = pino({ level: 'silent' });
