import { ServiceUnavailableError } from '../errors';

/** SQLSTATEs of a server that stops, starts or is full. */
const STATES = /^(08...|57P0[123]|53300)$/;
const SYSTEM_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN']);
/** Errors of pg itself, which have no codes. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error)/;

/** Waits for the database's answer; a lost connection becomes the error that asks a client to retry. */
export async function answered<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    if (isDiskFull(error)) throw diskFull(error as Error);
    throw isLostConnection(error) ? Object.assign(new ServiceUnavailableError(), { cause: explained(error) }) : error;
  }
}

/** In words for the log: pg's own are about its client. */
function explained(error: unknown): unknown {
  const isLost = /is not queryable$/.test((error as Error).message);
  return isLost ? new Error('the connection to PostgreSQL was lost', { cause: error }) : error;
}

function isLostConnection(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return STATES.test(code) || SYSTEM_CODES.has(code) || MESSAGES.test(message);
}

/** PostgreSQL's SQLSTATE. */
export const DISK_FULL = '53100';

function isDiskFull(error: unknown): boolean {
  return (error as { code?: string }).code === DISK_FULL;
}

/** Clients should retry; the reason is for the log, in words. */
function diskFull(cause: Error): Error {
  lastFull.postgresMs = performance.now();
  return Object.assign(new ServiceUnavailableError(), { cause: new Error("PostgreSQL's disk is full", { cause }) });
}

/**
 * When PostgreSQL or the broker last reported a full disk to this process, by performance.now(), as the host's clock may jump. Only writes get that
 * error.
 */
export const lastFull = { postgresMs: Number.NEGATIVE_INFINITY, natsMs: Number.NEGATIVE_INFINITY };
