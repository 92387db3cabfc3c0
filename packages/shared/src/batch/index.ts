export * from './admission';
export * from './batched';
export * from './join-pieces';
export * from './share-loads';
export * from './slices';
export * from './versioned-memory';
export * from './write-list';
