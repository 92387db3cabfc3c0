export * from './databases';
export * from './fake-clock';
