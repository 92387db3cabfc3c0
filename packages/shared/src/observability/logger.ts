import type { EventEmitter } from 'node:events';
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
    hooks: { logMethod: searchOnlyIfNeeded },
  };
  return pino(options, destination ?? standardOutput());
}

const unsearched = new WeakMap<pino.Logger, pino.Logger>();

/** The search for secrets takes most of a line's time: lines without objects, such as those of requests, need none. */
function searchOnlyIfNeeded(this: pino.Logger, args: Parameters<pino.LogFn>, method: pino.LogFn): void {
  if (!isHarmless(args[0])) {
    method.apply(this, args);
    return;
  }
  const logger = unsearched.get(this) ?? this.child({}, { redact: [] });
  unsearched.set(this, logger);
  method.apply(logger, args);
}

/** Whether the fields contain no object, and no secret by name. */
function isHarmless(fields: unknown): boolean {
  if (typeof fields !== 'object') return true;
  for (const name in fields) {
    const value = (fields as Record<string, unknown>)[name];
    if (SECRETS.includes(name) || (typeof value === 'object' && value !== null)) return false;
  }
  return !(fields instanceof Error);
}

/** More is written at once. */
const WRITTEN_BYTES = 8 * 1024;

let output: pino.DestinationStream | undefined;

/**
 * Shared by all loggers of the process. The lines of one turn of the event loop are written together, as each write wakes the process
 * that reads them; the last ones when the process exits.
 */
function standardOutput(): pino.DestinationStream {
  output ??= togetherPerTurn(pino.destination({ dest: process.stdout.fd, sync: true, minLength: WRITTEN_BYTES }));
  return output;
}

interface Buffered extends pino.DestinationStream {
  flushSync(): void;
}

/** Writes the lines of a turn together, and each at once while the process exits. */
export function togetherPerTurn(destination: Buffered, exiting: EventEmitter = process): Buffered {
  let isScheduled = false;
  let isExiting = false;
  const flushSync = () => destination.flushSync();
  exiting.once('exit', () => {
    isExiting = true;
    flushSync();
  });
  return {
    flushSync,
    write(line) {
      destination.write(line);
      if (isExiting) flushSync();
      if (isScheduled || isExiting) return;
      isScheduled = true;
      setImmediate(() => {
        isScheduled = false;
        flushSync();
      });
    },
  };
}

/** The trace id, which links log lines and traces. */
function tracedFields(): object {
  const id = traceId();
  return id === undefined ? {} : { trace_id: id };
}

export const silentLogger: Logger = pino({ level: 'silent' });
