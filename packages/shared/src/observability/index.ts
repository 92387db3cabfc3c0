export { tracingSettings } from './config';
export { createLogger, type Logger, silentLogger } from './logger';
export {
  type Duration,
  Durations,
  declareGauge,
  type MetricsServer,
  measuredCall,
  onScrape,
  serveMetrics,
} from './metrics';
export {
  inRequest,
  inSpan,
  inTracesOf,
  isTracing,
  type NewSpan,
  noteFailure,
  type Outcome,
  reportTracing,
  rpcSpan,
  startTracing,
  stopTracing,
  type TracePosition,
  together,
  traceId,
  tracePosition,
  traceparent,
} from './tracing';
