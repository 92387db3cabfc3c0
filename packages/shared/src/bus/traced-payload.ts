import { isTracing, traceparent } from '../observability';

// A traceparent of version 00 always has 55 characters.
const MEMBER = '"traceparent":"';
const TAIL_LENGTH = MEMBER.length + 55 + '"}'.length;

/**
 * A payload as the outbox keeps it, in whose text it must come last: its last member tells the trace of the request that the event is of,
 * because another process publishes it later, in no request's time. The relay takes it off again. Called where payloads are serialized.
 */
export function tracedPayload<Payload extends object>(payload: Payload): Payload {
  // What was decided in a request may be stored together with what others have.
  if (!isTracing() || 'traceparent' in payload) return payload;
  return { ...payload, traceparent: traceparent() };
}

/**
 * The inverse, of the serialized payload. It looks at the end only, where nothing that people have written can look the same: in a text
 * the quotes would be escaped, and in an inner object another brace would follow.
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
