import { trace } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { batched } from '../batch';
import { tracedPayload } from '../bus';
import { ServiceUnavailableError, UnauthorizedError } from '../errors';
import { loadTracingConfig } from './config';
import {
  inRequest,
  inSpan,
  inTracesOf,
  isTracing,
  noteFailure,
  startTracing,
  stopTracing,
  traceId,
  traceparent,
} from './index';
import { createLogger } from './logger';

const CAUSES = ['a', 'b', 'c'].map((letter) => ({ id: letter.repeat(32), parent: letter.repeat(16) }));
const [first, second, third] = CAUSES.map(({ id, parent }) => `00-${id}-${parent}-01`) as [string, string, string];
const NOT_RECORDED = `00-${'d'.repeat(32)}-${'d'.repeat(16)}-00`;

const part = (name: string) => ({ name, kind: 'client', attributes: {} }) as const;
const request = <Result>(name: string, parent: string | undefined, work: () => Promise<Result>) =>
  inRequest({ ...part('POST'), kind: 'server' }, parent, work, () => ({ name, attributes: {}, isFailed: false }));

const spans: ReadableSpan[] = [];
const exporter: SpanExporter = {
  export(some, done) {
    spans.push(...some);
    done({ code: 0 });
  },
  shutdown: async () => {},
};
const lines: string[] = [];
let carried: object[];

beforeAll(async () => {
  expect(isTracing()).toBe(false);
  expect(tracedPayload({ cup: 1 })).toEqual({ cup: 1 });
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = 'http://127.0.0.1:1';
  startTracing('test', { exporter });
  await work();
  await stopTracing();
});

/** The work whose spans the tests examine. */
async function work(): Promise<void> {
  const log = createLogger('test', 'info', { write: (line) => void lines.push(line) });
  await request('GET /cups', undefined, async () => log.info('own'));
  await request('POST /cups', first, async () => {
    log.info('continued');
    await inSpan(part('fill'), async () => void trace.getActiveSpan()?.setStatus({ code: 2, message: 'quoted' }));
  });
  await request('POST /unrecorded', NOT_RECORDED, () => inSpan(part('unrecorded'), async () => log.info('unrecorded')));
  await request('POST /senseless', 'senseless', async () => {});
  await inSpan(part('chore'), async () => log.info('chore'));
  await fail();
  const join = batched((cups: string[]) => inSpan(part(`store ${cups}`), async () => cups), {
    maxItems: 9,
    maxInFlight: 1,
  });
  await Promise.all([
    join('nobody’s'),
    request('POST /first', first, () => join('first')),
    request('POST /second', second, () => join('second')),
  ]);
  await inTracesOf([second, third, second, NOT_RECORDED], part('handle'), async (own) => {
    await inTracesOf(own, part('effect'), async () => {});
  });
  carried = await request('POST /carried', first, async () => [
    tracedPayload({ cup: 1, own: traceparent() }),
    tracedPayload({ traceparent: undefined }),
  ]);
}

async function fail(): Promise<void> {
  const failures = {
    refused: new UnauthorizedError('secret'),
    away: new ServiceUnavailableError(),
    bug: new TypeError('secret'),
  };
  for (const [name, error] of Object.entries(failures)) {
    const failing = request(name, first, () => inSpan(part(name), () => Promise.reject(error)));
    await expect(failing).rejects.toBe(error);
  }
  await request('swallowed', first, async () => noteFailure(new TypeError('secret')));
}

const named = (name: string) => spans.filter((span) => span.name === name);
const only = (name: string) => {
  expect(named(name)).toHaveLength(1);
  return named(name)[0] as ReadableSpan;
};
const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId;
const traceOf = (span: ReadableSpan | undefined) => span?.spanContext().traceId;
const parentOf = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId;
const line = (msg: string) => lines.map((text) => JSON.parse(text)).find((each) => each.msg === msg);

test('a request begins a trace or continues that of its client; an invalid parent begins a new one', () => {
  expect(parentOf(only('GET /cups'))).toBeUndefined();
  expect(only('GET /cups').resource.attributes['service.name']).toBe('parley-test');
  expect([traceOf(only('POST /cups')), parentOf(only('POST /cups'))]).toEqual([CAUSES[0]?.id, CAUSES[0]?.parent]);
  expect(parentOf(only('POST /senseless'))).toBeUndefined();
});

test('child spans belong to their request; without a recorded trace there are none', () => {
  expect(parentOf(only('fill'))).toBe(idOf(only('POST /cups')));
  expect(['chore', 'unrecorded', 'POST /unrecorded'].flatMap(named)).toEqual([]);
});

test('a line of the log names its trace', () => {
  expect(line('continued').trace_id).toBe(CAUSES[0]?.id);
  expect(line('own').trace_id).toBe(traceOf(only('GET /cups')));
  expect([line('chore').trace_id, line('unrecorded').trace_id, traceId()]).toEqual([undefined, undefined, undefined]);
});

test('a failure is recorded by its kind, without quoted texts; a refusal is no failure', () => {
  const failures = ['refused', 'away', 'bug'].map((name) => named(name)[0] as ReadableSpan);
  expect(failures.map(({ status }) => status.code)).toEqual([0, 2, 2]);
  const away = new ServiceUnavailableError().code;
  expect(failures.map(({ attributes }) => attributes['error.type'])).toEqual(['UNAUTHORIZED', away, 'TypeError']);
  expect(only('swallowed')).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'TypeError' } });
  expect(only('fill').status).toEqual({ code: 2 });
  const texts = spans.map(({ attributes, events, status }) => JSON.stringify([attributes, events, status]));
  expect(texts.join()).not.toMatch(/secret|quoted/);
});

test('a batch belongs to the first trace that is in it, to which the others are linked', () => {
  const [batch, ...others] = spans.filter(({ name }) => name.startsWith('store'));
  expect([batch?.name, others]).toEqual(['store nobody’s,first,second', []]);
  expect(parentOf(batch)).toBe(idOf(only('POST /first')));
  expect(only('POST /second').links.map(({ context }) => context.spanId)).toEqual([idOf(only('POST /first'))]);
  expect(only('POST /first').links).toEqual([]);
});

test('work for several requests has a span in the trace of each, and so have its effects', () => {
  for (const name of ['handle', 'effect']) {
    expect(named(name).map(traceOf)).toEqual([CAUSES[1]?.id, CAUSES[2]?.id]);
    const links = named(name).map((span) => span.links.map(({ context }) => context.spanId));
    expect(links).toEqual([[], [idOf(named(name)[0])]]);
  }
  expect(named('effect').map(parentOf)).toEqual(named('handle').map(idOf));
});

test('a stored event carries its trace as its last member, unless it was decided already that it has none', () => {
  const own = `00-${CAUSES[0]?.id}-${idOf(only('POST /carried'))}-01`;
  expect(carried.map((payload) => JSON.stringify(payload))).toEqual([
    JSON.stringify({ cup: 1, own, traceparent: own }),
    '{}',
  ]);
});

test('there are traces where a collector is named, unless the standard’s other switches are off or a setting is wrong', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
  expect(loadTracingConfig(endpoint)).toEqual(endpoint);
  const others = [
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { ...endpoint, OTEL_SDK_DISABLED: 'true' },
    { ...endpoint, OTEL_TRACES_EXPORTER: 'none' },
    { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
  ];
  expect(others.map((each) => loadTracingConfig(each))).toEqual([null, null, null, null]);
});
