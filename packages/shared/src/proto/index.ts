export * from '../generated';
export * from './load';
export * from './message-shape';
