import { setTimeout } from 'node:timers/promises';
import { ServiceUnavailableError } from '../errors';
import type { ServiceName } from '../proto';
import { type BackOff, pauseMs } from '../values';
import { type Call, HOP_RESERVE_MS } from './call';
import { isSettledBy, mayRepeat } from './repeats';

/**
 * The connection broke before the answer arrived: whether the call took effect is unknown. Never thrown for an answer of the
 * service.
 */
export class CallLostError extends ServiceUnavailableError {
  constructor(cause: unknown) {
    super();
    this.cause = cause;
  }
}

/** Random, because all calls of a replica are lost at once when it dies. */
const BACK_OFF: BackOff = { firstMs: 50, lastMs: 500, spread: 0.5 };

type Send = (call: Call, request: unknown) => Promise<unknown>;

/**
 * Repeats calls of a method whose answers were lost, if that is safe (see Repeat), until their deadline. An answer of the service
 * is final, also "overloaded" or "unavailable": a repetition would add to its load.
 */
export function repeatLost(service: ServiceName, method: string, send: Send): Send {
  return async (call, request) => {
    for (let failures = 0; ; ) {
      try {
        return await send(call, request);
      } catch (error) {
        if (failures > 0 && isSettledBy(service, method, error)) return {};
        if (!(error instanceof CallLostError) || !mayRepeat(service, method, request)) throw error;
        failures += 1;
        const waitMs = pauseMs(BACK_OFF, failures);
        if (Date.now() + waitMs > call.deadlineAt - HOP_RESERVE_MS) throw error;
        await setTimeout(waitMs);
      }
    }
  };
}
