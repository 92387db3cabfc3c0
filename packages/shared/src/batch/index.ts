export * from './batched';
