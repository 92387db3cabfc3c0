export * from './advisory-lock';
export * from './await-schema';
export { type AsOfSnapshot, type Database, type DatabaseOptions, databaseUrl, openDatabase } from './database';
export * from './delete-rows-of-realm';
export * from './inspect-database';
export * from './migrate';
export { ChangedMeanwhile, repeatOnConflict } from './repeat-on-conflict';
export { type Sql, type Statement, statement, type Transaction } from './sql';
export { TransactionSnapshot } from './transaction-snapshot';
