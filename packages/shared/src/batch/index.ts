export * from './batched';
export * from './joined';
export * from './versioned-memory';
