import type { Logger } from '../observability';
import type { UnaryHandler } from './serve-joined-calls';

/** The same handler, each of whose calls is a line of the log where that is wanted: under a request's id it is found in all services. */
export function toldCall(handler: UnaryHandler, method: string, log: Logger): UnaryHandler {
  if (!log.isLevelEnabled('debug')) return handler;
  return async (call, request) => {
    const beganAtMs = performance.now();
    try {
      return await handler(call, request);
    } finally {
      const ms = Math.round((performance.now() - beganAtMs) * 10) / 10;
      const caller = 'userId' in call ? { realmId: call.realmId, userId: call.userId } : {};
      log.debug({ method, ms, requestId: call.requestId, ...caller }, 'call');
    }
  };
}
