export * from './audience';
export * from './declarations';
export * from './declare-event';
export * from './domain-events';
export * from './event-cause';
export * from './message-flags';
