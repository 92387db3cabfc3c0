import { inRequest, isTracing, type Outcome } from '@parley/shared/observability';
import { EVENTS_PATH } from './endpoint';
import type { Exchange } from './exchange';
import { NO_ROUTE } from './route-durations';

const POLLS = `GET ${EVENTS_PATH}`;

/**
 * Answers a request within a trace, its client's if it sent one. Not for probes, preflights and polls: a poll mostly waits, and
 * the event that ends it belongs to the trace of its own request.
 */
export function traceExchange(exchange: Exchange, work: () => Promise<void>): Promise<void> {
  if (!isTracing() || !isTraced(exchange)) return work();
  const { call } = exchange;
  const method = exchange.req.method as string;
  const attributes = { 'http.request.method': method, 'parley.request_id': call.requestId };
  const span = { name: method, kind: 'server', attributes } as const;
  return inRequest(span, exchange.header('traceparent'), work, () => outcomeOf(exchange, method));
}

function isTraced({ req: { method }, path }: Exchange): boolean {
  return method !== 'OPTIONS' && !path.startsWith('/health/') && `${method} ${path}` !== POLLS;
}

/** By the path's template, because paths may contain keys and users' texts. */
function outcomeOf({ durations, status, call }: Exchange, method: string): Outcome {
  const isRouted = durations !== NO_ROUTE;
  return {
    name: isRouted ? `${method} ${durations.route}` : method,
    isFailed: status >= 500,
    attributes: {
      'http.response.status_code': status,
      ...(isRouted && { 'http.route': durations.route }),
      ...('userId' in call && { 'parley.realm_id': call.realmId, 'parley.user_id': call.userId }),
    },
  };
}
