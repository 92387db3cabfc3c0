export { announce, announceEphemeral } from './announce';
export * from './bus';
export { type NatsAccess, tryNats } from './connect-nats';
export {
  type ConsumeOptions,
  type Consumption,
  consume,
  countUnconsumed,
  type Frequent,
  handledEvents,
} from './consume';
export type { ConsumedEvent, HandledEvents } from './handle-record';
export { Interruptions, stopWhenCutOff } from './interruptions';
export { followLeaseEndings, type LeaseEnding, reachesHolder, tellHolders } from './lease-endings';
export { epochOf, followLogChanges, markRewound } from './log-changes';
export { LOG_RETENTION_HOURS } from './log-stream';
export { measureLog, measureRelay } from './measure';
export { countUnpublished, eventText, readOutboxLag } from './outbox.sql';
export { createOutboxRelay, type OutboxGauges, type OutboxRelay } from './outbox-relay';
export { type LogRecord, MAX_EVENTS_PER_RECORD } from './records';
export { isRefilled, refillLog } from './refill';
export { handleSpan, tracedPayload, tracesOf } from './traces';
export { openWakeChannel, type WakeChannel } from './wake-channel';
