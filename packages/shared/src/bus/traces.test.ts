import { withoutTrace } from './traces';

const TRACE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

test.each([
  ['{"cup":1}', `{"cup":1,"traceparent":"${TRACE}"}`],
  ['{}', `{"traceparent":"${TRACE}"}`],
])('the trace is taken off %s', (payload, text) => {
  expect(withoutTrace(text)).toEqual({ payload, trace: TRACE });
});

test.each([
  '{}',
  '{"cup":1}',
  JSON.stringify({ text: `,"traceparent":"${TRACE}"}` }),
  JSON.stringify({ text: `"traceparent":"${TRACE}` }),
  JSON.stringify({ inner: { traceparent: TRACE } }),
  JSON.stringify({ traceparent: TRACE, cup: 1 }),
])('what only looks like one stays: %s', (text) => {
  expect(withoutTrace(text)).toEqual({ payload: text, trace: undefined });
});
