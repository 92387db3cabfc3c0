import { setTimeout } from 'node:timers/promises';
import { ServiceUnavailableError } from '../errors';
import type { ServiceName } from '../proto';
import { type Call, HOP_RESERVE_MS } from './call';
import { isSettledBy, mayRepeat } from './repeats';

/** The connection broke before the answer came: nobody knows whether the call was done. An answer of the service is never this error. */
export class CallLostError extends ServiceUnavailableError {
  constructor(cause: unknown) {
    super();
    this.cause = cause;
  }
}

const INITIAL_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 500;

type Send = (call: Call, request: unknown) => Promise<unknown>;

/**
 * Makes a method's calls again whose answers were lost, where that is safe (see Repeat), until their deadline. What a service answers is
 * final, also that it is overloaded or waits for something: repeating that would only add to its work.
 */
export function repeatLost(service: ServiceName, method: string, send: Send): Send {
  return async (call, request) => {
    for (let backoffMs = INITIAL_BACKOFF_MS, isFirst = true; ; isFirst = false) {
      try {
        return await send(call, request);
      } catch (error) {
        if (!isFirst && isSettledBy(service, method, error)) return {};
        if (!(error instanceof CallLostError) || !mayRepeat(service, method, request)) throw error;
        if (Date.now() + backoffMs > call.deadlineAt - HOP_RESERVE_MS) throw error;
      }
      // At random, since all that a replica was working on is lost at once when it dies.
      await setTimeout(backoffMs * (0.5 + Math.random() / 2));
      backoffMs = Math.min(2 * backoffMs, MAX_BACKOFF_MS);
    }
  };
}
