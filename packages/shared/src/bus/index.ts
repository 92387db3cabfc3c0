export { announce } from './announce';
export * from './bus';
export { MAX_EVENTS_PER_RECORD } from './outbox.sql';
export { createOutboxRelay, type LogRecord, type OutboxRelay } from './outbox-relay';
