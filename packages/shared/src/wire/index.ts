export * from './avatar';
export * from './message';
