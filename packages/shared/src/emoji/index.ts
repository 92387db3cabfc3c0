export * from './find-emoji';
export * from './named-emoji';
