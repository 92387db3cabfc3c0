export * from '../generated';
export * from './load';
