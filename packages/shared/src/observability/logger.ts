import pino from 'pino';
import { isTracing, traceId } from '.';

export type Logger = pino.Logger;

const SECRETS = ['authorization', 'api_key', 'apiKey', 'key', 'password', 'secret', 'token', 'content'];
/** PostgreSQL's errors contain the values of the refused row. */
const ROWS = ['err.detail', 'err.where'];

/**
 * One JSON line per event, with the service's name, on standard output unless tests read it. Users' texts, keys and passwords are never
 * logged.
 */
export function createLogger(service: string, level: string, destination?: pino.DestinationStream): Logger {
  const options = {
    name: service,
    level,
    base: { service },
    ...(isTracing() && { mixin: tracedFields }),
    redact: [...SECRETS.flatMap((name) => [name, `*.${name}`]), 'req.headers.authorization', ...ROWS],
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** The trace id, which links log lines and traces. */
function tracedFields(): object {
  const id = traceId();
  return id === undefined ? {} : { trace_id: id };
}

export const silentLogger: Logger = pino({ level: 'silent' });
