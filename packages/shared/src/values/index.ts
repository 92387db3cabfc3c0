export * from './clock';
export * from './limits';
export * from './realm-url';
export * from './roles';
export * from './text';
export * from './topics';
