export { announce } from './announce';
export * from './bus';
export { type ConsumeOptions, type Consumption, consume, countUnconsumed } from './consume';
export type { ConsumedEvent } from './handle-record';
export { countUnpublished } from './outbox.sql';
export { createOutboxRelay, type OutboxRelay } from './outbox-relay';
export { type LogRecord, MAX_EVENTS_PER_RECORD } from './records';
