import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import { loadTracingConfig } from './config';

/** A span's attributes. No value may be a key or a user's text. */
interface SpanDescription {
  name: string;
  attributes: Readonly<Record<string, string | number>>;
}

export interface NewSpan extends SpanDescription {
  kind: 'server' | 'client' | 'producer' | 'consumer';
}

/** A call of another service: gRPC's conventions. */
export function rpcSpan(kind: 'client' | 'server', path: string): NewSpan {
  const [, service, method] = path.split('/') as [string, string, string];
  const attributes = { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method };
  return { name: `${service}/${method}`, kind, attributes };
}

export type Outcome = SpanDescription & { isFailed: boolean };

type Work<Result> = () => Promise<Result>;

/** A position in a trace, for work that serves several requests at once. */
export type TracePosition = unknown;

/** The implementation of the functions below while tracing is on. */
export interface Tracing {
  traceId(): string | undefined;
  traceparent(): string | undefined;
  tracePosition(): TracePosition | undefined;
  inRequest<Result>(
    span: NewSpan,
    parent: string | undefined,
    work: Work<Result>,
    outcome: () => Outcome,
  ): Promise<Result>;
  inSpan<Result>(span: NewSpan, work: Work<Result>): Promise<Result>;
  inTracesOf<Result>(
    parents: readonly string[],
    span: NewSpan,
    work: (own: readonly string[]) => Promise<Result>,
  ): Promise<Result>;
  together<Result>(positions: readonly (TracePosition | undefined)[], work: Work<Result>): Promise<Result>;
  noteFailure(error: unknown): void;
  reportTo(report: (problem: string) => void): void;
  stop(): Promise<void>;
}

let tracing: Tracing | undefined;

/**
 * Called by each service's tracing.ts, which its main.ts imports first: wrapped libraries must not have been loaded
 * before. Without OTEL_EXPORTER_OTLP_ENDPOINT nothing is loaded, and all functions below do nothing.
 */
export function startTracing(service: string, overrides: { exporter?: SpanExporter } = {}): void {
  const config = loadTracingConfig();
  if (config === null) return;
  const { createTracing, exporterOf } = require('./otel') as typeof import('./otel');
  tracing = createTracing(`parley-${service}`, overrides.exporter ?? exporterOf(config.OTEL_EXPORTER_OTLP_PROTOCOL));
}

/** Sends pending spans, within the time for the end of a process; called by runService(). */
export async function stopTracing(): Promise<void> {
  await tracing?.stop();
}

/** Reports export errors; called by runService(). */
export function reportTracing(report: (problem: string) => void): void {
  tracing?.reportTo(report);
}

export function isTracing(): boolean {
  return tracing !== undefined;
}

/** The id of the current trace; undefined without one, or if it is not recorded. */
export function traceId(): string | undefined {
  return tracing?.traceId();
}

/** The header with which another process continues the trace; undefined outside a trace. */
export function traceparent(): string | undefined {
  return tracing?.traceparent();
}

/** Runs a request from outside: continues the trace of its traceparent, or begins a new one. */
export function inRequest<Result>(
  span: NewSpan,
  parent: string | undefined,
  work: Work<Result>,
  outcome: () => Outcome,
): Promise<Result> {
  return tracing ? tracing.inRequest(span, parent, work, outcome) : work();
}

/** Runs the work in a child span. No-op outside a trace, so periodic tasks are not traced. */
export function inSpan<Result>(span: NewSpan, work: Work<Result>): Promise<Result> {
  return tracing ? tracing.inSpan(span, work) : work();
}

/**
 * Continues the traces that caused this work. Each gets a span; spans of the work itself belong to the first trace, to which the
 * others are linked. The work receives the header to pass on.
 */
export function inTracesOf<Result>(
  parents: readonly string[],
  span: NewSpan,
  work: (own: readonly string[]) => Promise<Result>,
): Promise<Result> {
  return tracing && parents.length > 0 ? tracing.inTracesOf(parents, span, work) : work(parents);
}

/** The current position in a trace; for together(). */
export function tracePosition(): TracePosition | undefined {
  return tracing?.tracePosition();
}

/**
 * Runs work for several requests at once. It belongs to the trace of the first one that has any; the spans of the others link to
 * it: a span has one parent, and repeating the statements of a batch in every trace would show more than were sent.
 */
export function together<Result>(
  positions: readonly (TracePosition | undefined)[],
  work: Work<Result>,
): Promise<Result> {
  return tracing ? tracing.together(positions, work) : work();
}

/** Marks the current span as failed where the error is caught. */
export function noteFailure(error: unknown): void {
  tracing?.noteFailure(error);
}
