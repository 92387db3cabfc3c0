import { headers, type MsgHdrs } from 'nats';
import type { NewSpan } from '../observability';

const TRACEPARENT = 'traceparent';

/** How a record of the log tells which traces its events belong to: options of its publishing, none where it belongs to none. */
export function traceHeaders(traces: readonly (string | undefined)[]): { headers?: MsgHdrs } {
  const known = traces.filter((trace) => trace !== undefined);
  if (known.length === 0) return {};
  const told = headers();
  for (const trace of known) told.append(TRACEPARENT, trace);
  return { headers: told };
}

/** The inverse; for whoever reads the log. */
export function tracesOf(message: { headers?: MsgHdrs | undefined }): readonly string[] {
  return message.headers?.values(TRACEPARENT) ?? [];
}

export function publishSpan(kind: string): NewSpan {
  return spanOf('publish', kind, 'producer');
}

/** Of whoever acts on events of the kind, or tells clients of them. */
export function handleSpan(operation: 'handle' | 'deliver', kind: string): NewSpan {
  return spanOf(operation, kind, 'consumer');
}

function spanOf(operation: string, eventKind: string, kind: NewSpan['kind']): NewSpan {
  const attributes = { 'messaging.system': 'nats', 'messaging.operation.name': operation, 'parley.event': eventKind };
  return { name: `${operation} ${eventKind}`, kind, attributes };
}
