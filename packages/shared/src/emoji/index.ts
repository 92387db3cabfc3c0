export * from './find-emoji';
