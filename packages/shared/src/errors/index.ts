export * from './errors';
export * from './public-error';
export * from './trailer';
