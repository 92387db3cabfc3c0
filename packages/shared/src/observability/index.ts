export { tracingSettings } from './config';
export { type Duration, Durations } from './durations';
export { declareGauge, onScrape } from './gauges';
export { measuredCall } from './measured-call';
export { type MetricsServer, serveMetrics } from './serve-metrics';
export {
  inRequest,
  inSpan,
  inTracesOf,
  isTracing,
  type NewSpan,
  noteFailure,
  type Outcome,
  type Place,
  place,
  reportTracing,
  rpcSpan,
  startTracing,
  stopTracing,
  together,
  traceId,
  traceparent,
} from './tracing';
