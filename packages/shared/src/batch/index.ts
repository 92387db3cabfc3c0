export * from './admission';
export * from './batched';
export * from './joined';
export * from './slices';
export * from './versioned-memory';
