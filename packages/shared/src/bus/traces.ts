import { headers, type MsgHdrs } from 'nats';
import { isTracing, type NewSpan, traceparent } from '../observability';

const TRACEPARENT = 'traceparent';

/** The header of a record that names the traces of its events: options for publishing it, empty without traces. */
export function traceHeaders(traces: readonly (string | undefined)[]): { headers?: MsgHdrs } {
  const known = traces.filter((trace) => trace !== undefined);
  if (known.length === 0) return {};
  const found = headers();
  for (const trace of known) found.append(TRACEPARENT, trace);
  return { headers: found };
}

/** The inverse, for readers of the log. */
export function tracesOf(message: { headers?: MsgHdrs | undefined }): readonly string[] {
  return message.headers?.values(TRACEPARENT) ?? [];
}

export function publishSpan(kind: string): NewSpan {
  return spanOf('publish', kind, 'producer');
}

/** The span of handling events of the kind, or of delivering them to clients. */
export function handleSpan(operation: 'handle' | 'deliver', kind: string): NewSpan {
  return spanOf(operation, kind, 'consumer');
}

function spanOf(operation: string, eventKind: string, kind: NewSpan['kind']): NewSpan {
  const attributes = { 'messaging.system': 'nats', 'messaging.operation.name': operation, 'parley.event': eventKind };
  return { name: `${operation} ${eventKind}`, kind, attributes };
}

// A traceparent of version 00 always has 55 characters.
const MEMBER = '"traceparent":"';
const TAIL_LENGTH = MEMBER.length + 55 + '"}'.length;

/**
 * A payload as the outbox stores it: its last member is the trace of the request, because another process publishes it later. It must come
 * last in the text; the relay removes it. Called where payloads are serialized.
 */
export function tracedPayload<Payload extends object>(payload: Payload): Payload {
  // Events of different requests may be stored together.
  if (!isTracing() || 'traceparent' in payload) return payload;
  return { ...payload, traceparent: traceparent() };
}

/**
 * The inverse, for the serialized payload. It examines the end only, where no user's text can look the same: in a string
 * the quotes would be escaped, and after an inner object another brace would follow.
 */
export function withoutTrace(text: string): { payload: string; trace: string | undefined } {
  const start = text.length - TAIL_LENGTH;
  if (!text.startsWith(MEMBER, start)) return { payload: text, trace: undefined };
  const hasOthers = text.charAt(start - 1) === ',';
  return {
    payload: `${text.slice(0, hasOthers ? start - 1 : start)}}`,
    trace: text.slice(start + MEMBER.length, -2),
  };
}
