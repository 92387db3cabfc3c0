export { type Duration, Durations } from './durations';
export { declareGauge, onScrape } from './gauges';
export { measuredCall } from './measured-call';
export { type MetricsServer, serveMetrics } from './serve-metrics';
