export * from './permission-settings';
