export * from './config';
export * from './database-service';
export { inspectedService } from './inspected-service';
export * from './keep-doing';
export * from './logger';
export * from './run';
export * from './run-migrations';
export { checkSecret, madeUpSecret } from './secret-fingerprint';
export { settingsFromFiles } from './settings-from-files';
