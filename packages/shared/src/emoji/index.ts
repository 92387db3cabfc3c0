export * from './emoji';
