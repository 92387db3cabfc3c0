export * from './errors';
export * from './invitation-errors';
export * from './message-errors';
export * from './narrow-errors';
export * from './public-error';
export * from './trailer';
