export * from './notice-text';
