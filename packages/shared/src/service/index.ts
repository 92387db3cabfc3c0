export * from './config';
export * from './database-service';
export * from './logger';
export * from './run';
