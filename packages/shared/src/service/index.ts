export { ConfigError } from '../errors';
export { createLogger, type Logger, silentLogger } from '../observability';
export * from './config';
export * from './database-service';
export { fullDiskSentence } from './exit';
export { inspectedService } from './inspected-service';
export * from './run';
export * from './run-migrations';
export { checkSecret, madeUpSecret } from './secret-fingerprint';
