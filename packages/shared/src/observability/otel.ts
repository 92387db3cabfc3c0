import { hostname } from 'node:os';
import {
  type Context,
  context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { getNumberFromEnv, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { PublicError, ServiceUnavailableError } from '../errors';
import type { NewSpan, Outcome, Tracing } from './tracing';

/** Maximum length of an attribute: the longest statements would use up the space of the others. */
const MAX_VALUE_LENGTH = 1_024;
const STOP_MS = 2_000;
/** An unreachable collector is logged once a minute. */
const REPORT_EVERY_MS = 60_000;

const KINDS: Record<NewSpan['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** PostgreSQL's messages quote values. The error code, which is an attribute, is enough. */
const withoutMessages: SpanProcessor = {
  onStart() {},
  onEnd({ status }) {
    delete status.message;
  },
  forceFlush: async () => {},
  shutdown: async () => {},
};

/**
 * Starts tracing by OpenTelemetry, under that name unless OTEL_SERVICE_NAME gives another. From now on statements of `pg`,
 * including Prisma's, are spans of their callers.
 */
export function createTracing(serviceName: string, exporter: SpanExporter): Tracing {
  const provider = new BasicTracerProvider({
    resource: resourceOf(serviceName),
    spanLimits: { attributeValueLengthLimit: maxValueLength() },
    spanProcessors: [withoutMessages, new BatchSpanProcessor(exporter)],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true });
  return new OpenTelemetry(provider);
}

/** Exports to OTEL_EXPORTER_OTLP_ENDPOINT, which the library reads. */
export function exporterOf(protocol: 'http/protobuf' | 'http/json' = 'http/protobuf'): SpanExporter {
  return protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
}

function resourceOf(serviceName: string): Resource {
  const own = { 'service.name': serviceName, 'host.name': hostname(), 'process.pid': process.pid };
  return defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }));
}

function maxValueLength(): number {
  const names = ['OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT', 'OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT'];
  return names.map(getNumberFromEnv).find((length) => length !== undefined) ?? MAX_VALUE_LENGTH;
}

class OpenTelemetry implements Tracing {
  readonly #tracer: Tracer;

  constructor(private readonly provider: BasicTracerProvider) {
    this.#tracer = provider.getTracer('parley');
  }

  traceId() {
    return trace.getActiveSpan()?.spanContext().traceId;
  }

  traceparent() {
    const span = trace.getActiveSpan();
    return span && traceparentOf(span);
  }

  tracePosition() {
    return trace.getActiveSpan();
  }

  async inRequest<Result>(
    options: NewSpan,
    parent: string | undefined,
    work: () => Promise<Result>,
    outcome: () => Outcome,
  ): Promise<Result> {
    const span = this.#start(options, contextOf(parent) ?? ROOT_CONTEXT);
    // Not recorded: later spans of the trace are not recorded either.
    if (!span.isRecording()) return work();
    try {
      return await within(span, work);
    } finally {
      const { name, attributes, isFailed } = outcome();
      span.updateName(name).setAttributes(attributes);
      if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    }
  }

  async inSpan<Result>(options: NewSpan, work: () => Promise<Result>): Promise<Result> {
    if (trace.getActiveSpan() === undefined) return work();
    return ending([this.#start(options, context.active())], work);
  }

  async inTracesOf<Result>(
    parents: readonly string[],
    options: NewSpan,
    work: (own: readonly string[]) => Promise<Result>,
  ): Promise<Result> {
    const contexts = [...new Set(parents)].flatMap((parent) => contextOf(parent) ?? []);
    const spans = contexts.map((parent) => this.#start(options, parent)).filter((span) => span.isRecording());
    if (spans.length === 0) return work([]);
    return ending(linked(spans), () => work(spans.map(traceparentOf)));
  }

  together<Result>(positions: readonly unknown[], work: () => Promise<Result>): Promise<Result> {
    const spans = [...new Set(positions as readonly (Span | undefined)[])].filter((span) => span !== undefined);
    const [first] = linked(spans);
    return first ? within(first, work) : context.with(ROOT_CONTEXT, work);
  }

  noteFailure(error: unknown): void {
    const span = trace.getActiveSpan();
    if (span) fail(span, error);
  }

  reportTo(report: (problem: string) => void): void {
    let reportedAtMs = Number.NEGATIVE_INFINITY;
    const tell = (problem: string) => {
      if (performance.now() < reportedAtMs + REPORT_EVERY_MS) return;
      reportedAtMs = performance.now();
      report(problem);
    };
    const logger = { error: tell, warn: tell, info() {}, debug() {}, verbose() {} };
    diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  }

  async stop(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, STOP_MS);
    });
    await Promise.race([this.provider.shutdown().catch(() => {}), timeout]);
    clearTimeout(timer);
  }

  #start({ name, kind, attributes }: NewSpan, parent: Context): Span {
    return this.#tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes } }, parent);
  }
}

/** Runs the work in the first span; all of them end with it. */
async function ending<Result>(spans: readonly Span[], work: () => Promise<Result>): Promise<Result> {
  try {
    return await within(spans[0] as Span, work);
  } catch (error) {
    for (const span of spans) fail(span, error);
    throw error;
  } finally {
    for (const span of spans) span.end();
  }
}

function within<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  return context.with(trace.setSpan(ROOT_CONTEXT, span), work);
}

/** Spans in other traces link to the first. */
function linked(spans: readonly Span[]): readonly Span[] {
  const [first, ...others] = spans.map((span) => span.spanContext());
  others.forEach(({ traceId }, index) => {
    if (first && traceId !== first.traceId) spans[index + 1]?.addLink({ context: first });
  });
  return spans;
}

/** A refusal is the caller's error, not a failure of the callee. The message may quote users' texts. */
function fail(span: Span, error: unknown): void {
  const isPublic = error instanceof PublicError;
  span.setAttribute('error.type', isPublic ? error.code : ((error as Error | undefined)?.name ?? typeof error));
  if (!isPublic || error instanceof ServiceUnavailableError) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The parent of a continued trace; undefined for an invalid traceparent. */
function contextOf(parent: string | undefined): Context | undefined {
  const found = parent === undefined ? null : parseTraceParent(parent);
  return found === null ? undefined : trace.setSpanContext(ROOT_CONTEXT, { ...found, isRemote: true });
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
}
