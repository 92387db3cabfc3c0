export * from './errors';
export * from './invitation-errors';
export * from './message-errors';
export * from './trailer';
