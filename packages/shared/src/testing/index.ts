export * from './databases';
export * from './fake-clock';
export * from './schema-agreement';
