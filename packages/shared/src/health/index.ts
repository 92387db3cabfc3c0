export * from './dependencies';
export * from './needed';
